import { parseArgs } from 'node:util';
import { fuzz, isGrowing, type Kind, kindNames, type Report } from './run.ts';
import { runningTarget, startTarget } from './target.ts';

// Command-line interface of the fuzzer. README.md describes the requests and the assertions.

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '6' },
    slow: { type: 'string', default: '2000' },
    only: { type: 'string' },
    url: { type: 'string' },
    database: { type: 'string' },
  },
});

const only =
  values.only === undefined
    ? null
    : (kindNames.find((kind) => kind === values.only) ?? fail(`--only is one of ${kindNames.join(', ')}.`));

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}

const number = (name: 'requests' | 'seed' | 'concurrency' | 'slow'): number => {
  const value = Number(values[name]);
  return Number.isSafeInteger(value) && value >= 0 ? value : fail(`--${name} must be a whole number.`);
};

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MB`;

function print(report: Report): void {
  const { findings, sent, statuses, operations, latency, slowOnce, memory } = report;
  for (const { index, about, fault, command, answer } of findings)
    console.log(`\n#${index} ${about}: ${fault}\n${command}\n${answer}`);
  const emitted = [...statuses]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([status, count]) => `${status} ${count}`);
  console.log(
    `\n${sent} requests over ${operations.rest} operations of REST and ${operations.graphql} root fields`,
  );
  console.log(`statuses: ${emitted.join(', ')}`);
  console.log(
    `milliseconds: median ${latency.median.toFixed(1)}, p99 ${latency.p99.toFixed(0)}, max ${latency.max.toFixed(0)}; slow once: ${slowOnce}`,
  );
  if (memory !== null) console.log(`memory, by thirds: ${memory.map(megabytes).join(', ')}`);
  console.log(`findings: ${findings.length}`);
}

const target =
  values.url === undefined ? await startTarget(values.database ?? null) : runningTarget(values.url);
const requests = number('requests');
const report = await fuzz(target, {
  requests,
  seed: number('seed'),
  concurrency: number('concurrency'),
  slowMs: number('slow'),
  only: only as Kind | null,
  progress: (done, rss) => console.log(`${done} of ${requests}${rss === null ? '' : `, ${megabytes(rss)}`}`),
});
print(report);
const isTooBig = requests >= 5_000 && isGrowing(report);
if (isTooBig) console.log('The memory of the process grows.');
if (!report.isAlive) console.log(`The process ended: ${target.output().slice(-2_000)}`);
const isStopped = await target.close();
if (!isStopped && report.isAlive) console.log('The process did not stop when it was asked to.');
process.exit(report.findings.length > 0 || isTooBig || !report.isAlive || !isStopped ? 1 : 0);
