/** Copy a text; the promise is rejected where the browser has no clipboard or refuses. */
export const copyText = (text) =>
  navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject(new Error("no clipboard"));
