/**
 * Returns a `beforeEach` hook that calls `open` before the first test and then every `size` tests. Only a few tests share an organization,
 * because advancing its clock renews the subscriptions from all earlier tests.
 */
export function everyFew(size: number, open: () => Promise<void>): () => Promise<void> {
  let begun = 0;
  return async () => {
    if (begun++ % size === 0) await open();
  };
}
