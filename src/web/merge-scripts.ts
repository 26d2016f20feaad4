/** Modules of a script, the pages that load it, and the scripts that it imports. */
export type Script = {
  modules: string[];
  pages: Set<number>;
  imports: Set<Script>;
  size: number;
};

/** Weight of the number of scripts against the number of bytes. */
const patience = 0.09;

/** Scripts that load with a script, including itself. */
function loadedBy(script: Script): Set<Script> {
  const found = new Set([script]);
  for (const each of found) for (const imported of each.imports) found.add(imported);
  return found;
}

/** Returns the total size of each page's scripts. */
function pageSizes(scripts: Iterable<Script>): number[] {
  const sizes: number[] = [];
  for (const script of scripts)
    for (const page of script.pages) sizes[page] = (sizes[page] ?? 0) + script.size;
  return sizes;
}

/** Returns the sum of the sizes of all pages. */
export const totalSize = (scripts: Iterable<Script>): number =>
  pageSizes(scripts).reduce((sum, size) => sum + size, 0);

/** Replaces two scripts by one. Pages that load a script also load the scripts that it imports. */
function join(scripts: Set<Script>, into: Script, from: Script, saved: number): void {
  scripts.delete(from);
  into.size = Math.max(into.size, from.size, into.size + from.size - saved);
  into.modules.push(...from.modules);
  for (const each of from.imports) into.imports.add(each);
  for (const each of scripts) if (each.imports.delete(from)) each.imports.add(into);
  into.imports.delete(into);
  for (const page of from.pages) into.pages.add(page);
  for (const each of loadedBy(into)) for (const page of into.pages) each.pages.add(page);
  // Scripts of the same pages always load together. This includes scripts that import each other.
  for (const each of scripts) {
    const same = [...scripts].find(
      (other) => other !== each && other.pages.symmetricDifference(each.pages).size === 0,
    );
    if (same !== undefined) return join(scripts, each, same, saved);
  }
}

/**
 * Merges scripts until no page loads more than `most`. Prefers merges that help many pages and add few bytes. A page's size may grow by `growth`
 * of its initial size, or by more if it would load too many scripts otherwise. Two scripts lose `saved` of their size when they're merged.
 */
export function mergeScripts(
  initial: readonly Script[],
  most: number,
  growth: number,
  saved: number,
): Script[] {
  const scripts = new Set(initial);
  const pages = [...new Set(initial.flatMap((script) => [...script.pages]))];
  const first = pageSizes(initial);
  let allowed = 1 + growth;
  for (;;) {
    const excess = pages.map(() => -most);
    for (const script of scripts) for (const page of script.pages) excess[page] = (excess[page] ?? 0) + 1;
    if (excess.every((count) => count <= 0)) return [...scripts];
    const rooms = pageSizes(scripts).map((size, page) => (first[page] ?? 0) * allowed - size);
    const loaded = new Map<Script, Set<Script>>();
    /** Shares of the pages' remaining room that a merge uses. Infinite if they exceed the limit. */
    const costOf = (a: Script, b: Script, limit: number): number => {
      let cost = 0;
      for (const [script, other] of [
        [a, b],
        [b, a],
      ] as const)
        for (const each of loaded.getOrInsertComputed(script, loadedBy))
          for (const page of other.pages)
            if (!each.pages.has(page)) {
              const room = rooms[page] ?? 0;
              cost += each.size > room ? Number.POSITIVE_INFINITY : each.size / room;
              if (cost > limit) return Number.POSITIVE_INFINITY;
            }
      return cost;
    };
    const list = [...scripts];
    let best: { readonly score: number; readonly pair: readonly [Script, Script] } | null = null;
    for (const [index, a] of list.entries()) {
      const pagesOfA = [...a.pages].filter((page) => (excess[page] ?? 0) > 0);
      if (pagesOfA.length > 0)
        for (let other = index + 1; other < list.length; other++) {
          const b = list[other] ?? a;
          let gain = 0;
          for (const page of pagesOfA) if (b.pages.has(page)) gain += excess[page] ?? 0;
          if (gain === 0) continue;
          const limit = best === null ? Number.MAX_VALUE : gain / best.score - patience;
          const score: number = limit <= 0 ? 0 : gain / (costOf(a, b, limit) + patience);
          if (score > (best?.score ?? 0)) best = { score, pair: [a, b] };
        }
    }
    if (best === null) allowed += 0.01;
    else join(scripts, ...best.pair, saved);
  }
}
