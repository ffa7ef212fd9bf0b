/** Reload the page once after `delay` milliseconds, if the server then answers anything but 503. */
export function retryLater({ delay }) {
  setTimeout(async () => {
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      if (answer.status !== 503) location.reload();
    } catch {
      // The server is still away: the page stays as it is.
    }
  }, delay);
}
