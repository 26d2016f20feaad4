import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { root } from './children.ts';
import { alignedText, median, type Result } from './table.ts';

// Compares this checkout with an earlier commit. Each version runs its own benchmark files. The runs alternate, so that other load on the
// machine affects both versions.

const run = promisify(execFile);

/** Returns whether a file is the same in both checkouts. */
async function isSame(earlier: string, file: string): Promise<boolean> {
  const [ours, theirs] = await Promise.all(
    [root, earlier].map((folder) => readFile(path.join(folder, file), 'utf8').catch(() => '')),
  );
  return ours === theirs;
}

/** Installs the packages of the earlier checkout. Packages of this checkout are hard-linked if both checkouts lock the same versions. */
async function install(earlier: string): Promise<void> {
  const link = (folder: string) =>
    run('cp', ['-al', path.join(root, folder), path.join(earlier, folder)]).then(
      () => true,
      () => false,
    );
  if (!((await isSame(earlier, 'package-lock.json')) && (await link('node_modules')))) {
    await rm(path.join(earlier, 'node_modules'), { recursive: true, force: true });
    await run('npm', ['ci'], { cwd: earlier });
  }
  if (await isSame(earlier, 'bench/package.json')) await link('bench/node_modules');
}

/** Runs a checkout's benchmarks once and returns the results that they write. */
async function resultsOf(checkout: string, options: readonly string[]): Promise<readonly Named[]> {
  const child = spawn('npm', ['run', '-s', 'bench', '--', ...options, '--rounds=1'], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [, file] = /^Written to (.+)$/m.exec(await text(child.stdout)) ?? [];
  if (file === undefined) throw new Error(`The benchmarks in ${checkout} failed.`);
  return named(JSON.parse(await readFile(path.resolve(checkout, file), 'utf8')).results);
}

type Named = Result & { readonly name: string };

/** Names each result. An indented result gets its group's name as a prefix, because several groups have results with the same label. */
function named(results: readonly Result[]): readonly Named[] {
  let group = '';
  return results.map((result) => {
    const isPart = result.work.startsWith(' ');
    if (!isPart) group = result.work;
    return { ...result, name: isPart ? `${group}: ${result.work.trim()}` : group };
  });
}

/** Returns the median ratio across the rounds. If a result has no ratio, also returns the label from the last round. */
function figureOf(results: readonly Named[], name: string): { ratio: number; shown: string } {
  const found = results.filter((result) => result.name === name);
  const ratios = found.flatMap(({ ratio }) => (ratio === null ? [] : [ratio]));
  const ratio = ratios.length === 0 ? Number.NaN : median(ratios);
  return { ratio, shown: ratios.length === 0 ? (found.at(-1)?.product ?? '–') : ratio.toFixed(2) };
}

const changeText = (change: number): string =>
  Number.isNaN(change) ? '' : `${change < 0 ? '−' : '+'}${Math.abs(change * 100).toFixed(0)}%`;

/**
 * Measures this checkout and an earlier commit alternately. Returns a table of all results, including results that only one version has.
 */
export async function compareWith(
  commit: string,
  options: readonly string[],
  rounds: number,
): Promise<string> {
  const { stdout } = await run('git', ['rev-parse', '--short', `${commit}^{commit}`], { cwd: root });
  const folder = await mkdtemp(path.join(tmpdir(), 'quittance-bench-'));
  const checkout = path.join(folder, 'earlier');
  // Ctrl+C interrupts only the running benchmark, so the `finally` block below still removes the checkout.
  process.once('SIGINT', () => undefined);
  try {
    await run('git', ['worktree', 'add', '--detach', checkout, stdout.trim()], { cwd: root });
    await install(checkout);
    const ours: Named[] = [];
    const theirs: Named[] = [];
    for (let round = 0; round < rounds; round++) {
      const turns = [
        async () => ours.push(...(await resultsOf(root, options))),
        async () => theirs.push(...(await resultsOf(checkout, options))),
      ];
      for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
    }
    const rows = [...new Set([...ours, ...theirs].map(({ name }) => name))].map((name) => {
      const [now, before] = [figureOf(ours, name), figureOf(theirs, name)];
      return [name, now.shown, before.shown, changeText(now.ratio / before.ratio - 1)];
    });
    return alignedText(['work', 'this checkout', stdout.trim(), 'change'], rows);
  } finally {
    await run('git', ['worktree', 'remove', '--force', checkout], { cwd: root }).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  }
}
