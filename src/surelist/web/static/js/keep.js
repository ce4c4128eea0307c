// What to download, and how to check it.

import { post } from "./api.js";
import { checking } from "./checking.js";
import { h, replace } from "./dom.js";
import { ended, stopJob } from "./job.js";
import { complain } from "./shell.js";

const DOWNLOADS = [
  ["bundle.zip", "Audit bundle", "Report, model, proof, checker and hashes, for an auditor"],
  ["report.html", "Report", "One page with everything, to send or print"],
  ["certificate.cert", "Certificate", "The proof, for surelist verify"],
  ["model.json", "Model", "For surelist.load in Python"],
  ["rules.py", "Python", "A function without dependencies"],
  ["rules.sql", "SQL", "A CASE expression"],
  ["rules.tex", "LaTeX", "A table for a paper"],
  ["rules.png", "Picture, PNG", "The rule list"],
  ["rules.svg", "Picture, SVG", "The rule list, to scale"],
  ["search.svg", "Search, SVG", "Objective and lower bound"],
  ["predictions.csv", "Predictions", "All rows with what is predicted"],
  ["rules.txt", "Text", "The rules as they print"],
];

export function keep(run) {
  return h(
    "section",
    { class: "panel", id: "keep" },
    h("h2", {}, "Keep"),
    h(
      "ul",
      { class: "downloads" },
      DOWNLOADS.map(([kind, name, about]) =>
        h(
          "li",
          {},
          h(
            "a",
            { href: `/api/runs/${run.id}/downloads/${kind}`, download: true },
            h("strong", {}, name),
            h("span", {}, about),
          ),
        ),
      ),
    ),
    verification(run),
  );
}

function verification(run) {
  const body = h("div", { id: "verification", role: "status" });
  const button = h("button", { type: "button", class: "primary", id: "verify" }, "Verify now");
  async function wait() {
    const running = checking(() => stopJob(run, "verify"));
    replace(body, running.box);
    const job = await ended(run, "verify", body, running.show);
    return job ? show(job) : replace(body);
  }
  function failed(error) {
    replace(body);
    complain(error);
  }
  function show(job) {
    const found = job.outcome;
    if (found.verified) {
      return replace(
        body,
        h(
          "div",
          { class: "verdict sure" },
          h("strong", {}, found.statement),
          h(
            "p",
            {},
            `Exactly: objective ${found.objective}, lower bound ${found.lower_bound}${found.work ? `; ${found.work}` : ""}.`,
          ),
          // Checks of earlier versions do not say what was done, nor who read the data.
          found.reader && h("p", {}, `The data were read by ${found.reader}.`),
          h("p", { class: "hint" }, `Fingerprint of the data: ${found.fingerprint.slice(0, 32)}…`),
        ),
      );
    }
    return replace(
      body,
      h(
        "div",
        { class: "verdict bad" },
        h("strong", {}, found.error ? "The checker could not finish" : "Refused"),
        h("p", {}, found.reason ?? found.error),
      ),
    );
  }
  button.addEventListener("click", async () => {
    try {
      await post(`/api/runs/${run.id}/jobs/verify`);
      await wait();
    } catch (error) {
      failed(error);
    }
  });
  const job = run.jobs.verify;
  if (job?.state === "running") queueMicrotask(() => wait().catch(failed));
  else if (job) show(job);
  return h(
    "div",
    { class: "verify" },
    h("h3", {}, "Check the proof"),
    h(
      "p",
      {},
      "The checker shares no code with the search. It goes through the certificate and the data, and says what is proven.",
    ),
    h("p", {}, button),
    body,
    h("p", { class: "hint" }, "In a terminal, beside the certificate and the data:"),
    h("pre", { class: "command", tabindex: 0 }, run.verify_command),
  );
}
