"""Speed, memory and counters, side by side with the original and its peers: ``make bench``.

Read `run` for what is measured and in which order, `cases` for the problems, `peers` for the
systems; every measurement is made by a fresh process that runs one of the ``peer_*`` modules.
"""
