// Vite for `make dev`: Reflex's configuration, reached through our own port, with errors of Python shown on the page.
import { readFileSync } from "node:fs";
import { mergeConfig } from "vite";
import base from "./vite.config.js";

const port = Number(process.env.PORT);

// The supervisor writes the error of the last edit into this file, and empties it when the code compiles again.
const problems = {
  name: "python-errors",
  configureServer(server) {
    const file = new URL("./problem.txt", import.meta.url).pathname;
    let shown = false;
    server.watcher.add(file);
    server.watcher.on("change", (changed) => {
      if (changed !== file) return;
      const message = readFileSync(file, "utf-8");
      if (message) server.ws.send({ type: "error", err: { message, stack: "" } });
      else if (shown) server.ws.send({ type: "full-reload" });
      shown = Boolean(message);
    });
  },
};

export default async (env) =>
  mergeConfig(await base(env), {
    plugins: [problems],
    clearScreen: false,
    server: { host: "127.0.0.1", port, strictPort: true, hmr: { clientPort: port } },
  });
