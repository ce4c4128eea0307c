"""Real tables of the KEEL repository, with the defaults, beside other packages: ``make tables``.

Read `run` for what is measured and in which order, `data` for the tables, `systems` for what is
measured; every fit is made by a fresh process that runs one of the ``fit_*`` modules.
"""
