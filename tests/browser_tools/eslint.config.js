const js = require("@eslint/js");
const globals = require("globals");

module.exports = [
  js.configs.recommended,
  { rules: { curly: ["error", "multi-or-nest"], eqeqeq: "error", "no-var": "error", "prefer-const": "error" } },
  { files: ["broker/**/*.js"], languageOptions: { sourceType: "module", globals: globals.browser } },
  { files: ["tests/**/*.js"], languageOptions: { sourceType: "module", globals: { ...globals.node, ...globals.browser } } },
  { files: ["tools/dev/navigation.js"], languageOptions: { sourceType: "script", globals: globals.browser } },
  { files: ["tools/dev/vite.config.js"], languageOptions: { sourceType: "module", globals: globals.node } },
];
