/** Read calls of `changedQuery` from standard input as JSON, `[defaults, query, changes]` each; write their answers. */
import { readFileSync, writeFileSync } from "node:fs";
import { changedQuery } from "../../../broker/components/js/search_form.js";

const calls = JSON.parse(readFileSync(0, "utf8"));
writeFileSync(1, JSON.stringify(calls.map((call) => changedQuery(...call))));
