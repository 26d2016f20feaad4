import { deflateRawSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';
import { mergeScripts, type Script, totalSize } from './merge-scripts.ts';

// Decides which script contains each module, so that a page loads few scripts and few bytes that it doesn't use. Modules that the same pages use
// share a script.

/** Maximum number of scripts of a page, including the frame's. */
const mostScripts = 6;

/**
 * Limits of a page's growth, as shares of its size before scripts are merged. A lower limit doesn't always lead to smaller pages, and a new
 * page can make the pages of one limit much larger. The scripts are therefore merged with each limit, and the smallest pages are used.
 */
const growths = [0.12, 0.15, 0.25, 0.4];

/** Compressed source code that corresponds to the size that two scripts lose when they're merged. */
const mergedBytes = 800;

/** Returns the compressed size of code without comments. */
const sizeOf = (code: string): number => deflateRawSync(code.replace(/\/\*[\s\S]*?\*\//g, '')).length;

/** Returns a script for each group of modules that the same pages use. */
function scriptsOf(
  parts: readonly { readonly modules: readonly string[]; readonly size: number }[],
  users: ReadonlyMap<string, ReadonlySet<number>>,
  importsOf: (id: string) => readonly string[],
): Script[] {
  const scripts = new Map<string, Script>();
  for (const { modules, size } of parts) {
    const pages = new Set(users.get(modules[0] ?? ''));
    const script = { modules: [...modules], pages, imports: new Set<Script>(), size };
    for (const id of modules) scripts.set(id, script);
  }
  for (const [id, script] of scripts)
    for (const each of importsOf(id)) {
      const imported = scripts.get(each);
      if (imported !== undefined && imported !== script) script.imports.add(imported);
    }
  return [...new Set(scripts.values())];
}

/**
 * Returns a plugin and groups for the bundler. `entry` is the path of the frame's module, and `pages` of the module that imports each page. Modules
 * that match `barrels` re-export a package, so an import doesn't mean that all of it is used.
 */
export function pageScripts(entry: string, pages: string, barrels: RegExp) {
  const names = new Map<string, string>();
  const plugin: Plugin = {
    name: 'page-scripts',
    apply: 'build',
    buildEnd() {
      const imports = new Map<string, readonly string[]>();
      /** Returns the modules that a module imports. Reads the list from the bundler once, because the bundler copies the list for each call. */
      const importsOf = (id: string): readonly string[] => {
        const known = imports.get(id);
        if (known !== undefined) return known;
        const found = barrels.test(id) ? [] : (this.getModuleInfo(id)?.importedIds ?? []);
        imports.set(id, found);
        return found;
      };
      const reachOf = (start: string): Set<string> => {
        const found = new Set([start]);
        for (const id of found) for (const each of importsOf(id)) found.add(each);
        return found;
      };
      const all = this.getModuleInfo(pages)?.dynamicallyImportedIds ?? [];
      const frame = reachOf(entry);
      const users = new Map([...frame].map((id) => [id, new Set(all.keys())]));
      for (const [page, start] of all.entries())
        for (const id of reachOf(start)) users.set(id, (users.get(id) ?? new Set<number>()).add(page));
      const byUsers = Map.groupBy(users.keys(), (id) => [...(users.get(id) ?? [])].join());
      const parts = [...byUsers.values()].map((modules) => ({
        modules,
        size: sizeOf(modules.map((id) => this.getModuleInfo(id)?.code ?? '').join('\n')),
      }));
      const merged = growths
        .map((growth) => mergeScripts(scriptsOf(parts, users, importsOf), mostScripts, growth, mergedBytes))
        .reduce((best, each) => (totalSize(each) < totalSize(best) ? each : best));
      for (const [index, { modules }] of merged.entries())
        for (const id of modules) names.set(id, modules.includes(entry) ? 'frame' : `script-${index}`);
    },
  };
  const groups: Rolldown.CodeSplittingGroup[] = [
    { name: 'frame', test: (id) => names.get(id) === 'frame', priority: 2 },
    { name: (id) => names.get(id) ?? null, priority: 1, includeDependenciesRecursively: false },
  ];
  return { plugin, groups };
}
