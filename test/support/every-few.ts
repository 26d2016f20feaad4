/**
 * What a file does before each of its tests: before the first and then every `size` ones, `open` is called. A shop is for a few tests: what moves its
 * clock renews every subscription that others left there.
 */
export function everyFew(size: number, open: () => Promise<void>): () => Promise<void> {
  let begun = 0;
  return async () => {
    if (begun++ % size === 0) await open();
  };
}
