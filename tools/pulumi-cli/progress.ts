const REPORT_EVERY_MS = 30_000;

/** Awaits `work` and says every 30 s for how long it has been going on. */
export async function reportElapsed<T>(
  what: string,
  report: (line: string) => void,
  work: Promise<T>,
): Promise<T> {
  const startMs = Date.now();
  const timer = setInterval(() => {
    const elapsedS = Math.round((Date.now() - startMs) / 1000);
    report(`Pulumi CLI: ${what}, ${Math.floor(elapsedS / 60)} min ${elapsedS % 60} s so far`);
  }, REPORT_EVERY_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
