/** Have Back and Forward load their page: React shows the failed page's last resort until the document is loaded again. */
export function reloadOnBack() {
  window.addEventListener("popstate", () => window.location.reload());
}
