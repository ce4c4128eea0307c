// The page's scripts run in a browser, their tests in node.

import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: [".venv/", ".venv-*/", "build/", "dist/", "docs/_build/", "docs/examples/"] },
  js.configs.recommended,
  {
    files: ["src/surelist/web/static/js/*.js"],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ["tests/web/js/*.js", "eslint.config.js"],
    languageOptions: { globals: globals.node },
  },
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "array-callback-return": "error",
      eqeqeq: "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-self-compare": "error",
      "no-shadow": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-use-before-define": ["error", { functions: false, variables: false }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
      // Text is always set as text: no value ever becomes markup.
      "no-restricted-properties": [
        "error",
        ...["innerHTML", "outerHTML", "insertAdjacentHTML"].map((property) => ({ property })),
      ],
    },
  },
];
