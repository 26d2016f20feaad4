import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { areas } from './areas/index.ts';
import { copyWorkingTree, deleteCopy } from './copy.ts';
import { type FaultyFile, type PlantedFault, plant } from './fault.ts';
import { runTests } from './run-tests.ts';

// Plants one fault at a time in a copy of the working tree, and runs the tests that can detect it.

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    json: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '10' },
  },
});

const limitMs = Number(options.minutes) * 60_000;

/** Result for a planted fault: the test file that detected it, or the reason why none did. */
type Result = { readonly area: string; readonly file: string; readonly fault: string } & (
  | { readonly status: 'detected'; readonly by: string }
  | { readonly status: 'survived' | 'does not apply'; readonly by: null }
);

const copy = copyWorkingTree();

/** Results of each test file or folder without a fault. */
const unchanged = new Map<string, Promise<boolean>>();

/** True if the tests pass without a fault. Tests that already fail can't detect a fault. */
const passes = (test: string): Promise<boolean> =>
  unchanged.getOrInsertComputed(
    test,
    async () => (await runTests(copy, [test], limitMs)).status === 'passed',
  );

const testsOf = ({ file, tests }: FaultyFile): readonly string[] =>
  file.startsWith('src/domain/') ? [...tests, 'test/domain'] : tests;

/** Returns the first test file that fails with the planted fault, or `null` if all tests pass. */
async function detectingTest(
  tests: readonly string[],
  original: string,
  write: (text: string) => void,
  faulty: string,
) {
  for (const test of tests) {
    write(faulty);
    const run = await runTests(copy, [test], limitMs);
    write(original);
    if (run.status === 'passed') continue;
    const by = run.status === 'failed' ? (run.file ?? test) : test;
    if (await passes(by)) return run.status === 'late' ? `${by} (time limit)` : by;
    console.error(`${by} fails without a fault too.`);
  }
  return null;
}

async function resultOf(area: string, faulty: FaultyFile, fault: PlantedFault): Promise<Result> {
  const about = { area, file: faulty.file, fault: fault.fault };
  const target = path.join(copy, faulty.file);
  const original = readFileSync(target, 'utf8');
  let planted: string;
  try {
    planted = plant(original, fault);
  } catch {
    return { ...about, status: 'does not apply', by: null };
  }
  const by = await detectingTest(testsOf(faulty), original, (text) => writeFileSync(target, text), planted);
  return by === null ? { ...about, status: 'survived', by } : { ...about, status: 'detected', by };
}

const isChosen = (area: string, { file }: FaultyFile, { fault }: PlantedFault): boolean =>
  options.only.length === 0 || options.only.some((text) => `${area} ${file} ${fault}`.includes(text));

const results: Result[] = [];
try {
  for (const [area, files] of Object.entries(areas))
    for (const faulty of files)
      for (const fault of faulty.faults) {
        if (!isChosen(area, faulty, fault)) continue;
        const result = await resultOf(area, faulty, fault);
        results.push(result);
        if (!options.json)
          console.log(`${result.status.padEnd(14)}  ${result.fault} (${faulty.file}) ${result.by ?? ''}`);
      }
} finally {
  deleteCopy();
}
if (options.json) console.log(JSON.stringify(results, null, 2));
else
  console.table(
    Object.fromEntries(
      [...Map.groupBy(results, ({ area }) => area)].map(([area, own]) => [
        area,
        { faults: own.length, detected: own.filter(({ status }) => status === 'detected').length },
      ]),
    ),
  );
process.exitCode = results.every(({ status }) => status === 'detected') ? 0 : 1;
