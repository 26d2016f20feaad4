import { readFileSync, writeFileSync } from 'node:fs';
import { defineCommand } from 'citty';
import { applyChange, isCheckable, readImpact, type Target } from '../catalog/apply.ts';
import { type Change, compare, hashOf } from '../catalog/compare.ts';
import { fileOf, itemsOf, nameOf } from '../catalog/document.ts';
import { readCatalog } from '../catalog/read.ts';
import { counted, type Print, Rejected, UsageError } from '../output.ts';
import { command, readOrganization, type Session } from '../session.ts';
import { namedFile } from '../settings.ts';

const defaultFile = 'catalog.json';

const fileArgument = {
  type: 'positional',
  default: defaultFile,
  description: `File with the catalog. Defaults to ${defaultFile}.`,
} as const;

const prune = {
  type: 'boolean',
  description: 'Also remove objects that the file omits.',
} as const;

/** Reads a catalog file. Throws a usage error if the file can't be read. */
function readFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(namedFile(file), 'utf8'));
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

type Found = { readonly target: Target; readonly changes: readonly Change[]; readonly hash: string };

/** Compares the catalog of the environment with a file. Prints all issues and throws if the file can't be applied. */
async function findChanges({ client, print }: Session, file: string, prunes: boolean): Promise<Found> {
  const { items, issues } = itemsOf(readFile(file));
  const [organization, stored] = await Promise.all([readOrganization(client), readCatalog(client)]);
  const difference = issues.length > 0 ? { changes: [], issues } : compare(stored.items, items, { prunes });
  for (const issue of difference.issues) print({ issue }, issue);
  if (difference.issues.length > 0)
    throw new Rejected(
      `${file} has ${counted(difference.issues.length, { one: '# issue', other: '# issues' })}. Nothing was changed.`,
    );
  const environment = `${organization.id} ${organization.livemode}`;
  return {
    target: { client, ids: stored.ids },
    changes: difference.changes,
    hash: hashOf(environment, difference.changes),
  };
}

const validatedChanges = { one: '# change validated.', other: '# changes validated.' } as const;
const madeChanges = { one: '# change made.', other: '# changes made.' } as const;

const valueText = (value: unknown): string => JSON.stringify(value ?? null);

/** Returns the lines that describe a change. */
function textOf(change: Change): string {
  const name = nameOf(change);
  if (change.change === 'remove') return `- ${name}`;
  const lines = Object.entries(change.fields).map(([field, value]) =>
    change.change === 'update'
      ? `    ${field}: ${valueText(change.before[field])} → ${valueText(value)}`
      : `    ${field}: ${valueText(value)}`,
  );
  return [`${change.change === 'create' ? '+' : '~'} ${name}`, ...lines].join('\n');
}

const effects = {
  at_next_period: 'from the next period',
  at_renewal: 'at the renewal',
  immediately: 'immediately',
  never: 'never',
  new_subscriptions: 'only for new subscriptions',
} as const;

/** Prints changes with the number of subscriptions that each change affects. */
async function printChanges(print: Print, { target, changes }: Found): Promise<void> {
  for (const change of changes) {
    const impact = await readImpact(target, change);
    const affected =
      impact === null
        ? ''
        : `\n    affects ${impact.subscribers.isExact ? '' : 'at least '}${counted(impact.subscribers.value, { one: '# subscription', other: '# subscriptions' })}, ${effects[impact.when]}, in favor of: ${impact.inFavorOf}`;
    print({ ...change, impact }, `${textOf(change)}${affected}`);
  }
}

const pull = command({
  description: 'Write the catalog of the environment to a file.',
  args: { file: fileArgument },
  run: async ({ client, print }, { file }) => {
    const { items } = await readCatalog(client);
    writeFileSync(namedFile(file), `${JSON.stringify(fileOf(items), null, 2)}\n`);
    print(
      { file, objects: items.length },
      `Wrote ${counted(items.length, { one: '# object', other: '# objects' })} to ${file}.`,
    );
  },
});

const diff = command({
  description: 'Show the changes that push would make, and the subscriptions that they affect.',
  args: { file: fileArgument, prune },
  run: async (session, args) => {
    const { print } = session;
    const found = await findChanges(session, args.file, args.prune === true);
    await printChanges(print, found);
    const { length } = found.changes;
    print(
      { changes: length, hash: found.hash },
      length === 0
        ? 'No changes.'
        : counted(length, {
            one: `# change. To make it, run push with --hash ${found.hash}.`,
            other: `# changes. To make them, run push with --hash ${found.hash}.`,
          }),
    );
  },
});

const push = command({
  description: 'Make the changes that diff showed.',
  args: {
    file: fileArgument,
    prune,
    hash: { type: 'string', valueHint: 'HASH', description: 'Hash that diff printed.' },
    'dry-run': { type: 'boolean', description: 'Let the service validate the changes without making them.' },
  },
  run: async (session, args) => {
    const { print } = session;
    const isDryRun = args['dry-run'] === true;
    if (args.hash === undefined && !isDryRun)
      throw new UsageError('Run `quittance catalog diff`, and set --hash to the hash that it prints.');
    const { target, changes, hash } = await findChanges(session, args.file, args.prune === true);
    // A repeated push finds its changes already made.
    if (changes.length > 0 && !isDryRun && args.hash !== hash)
      throw new Rejected(
        `The changes differ from those with the hash ${args.hash} (diff_changed). Run \`quittance catalog diff\` again.`,
      );
    for (const change of changes) {
      const isSkipped = isDryRun && !isCheckable(target, change);
      if (!isSkipped) await applyChange(target, change, isDryRun ? { dryRun: true } : {});
      const { change: what, kind, key } = change;
      const state = isSkipped ? 'not_checked' : isDryRun ? 'valid' : 'done';
      const note = isSkipped ? ' (depends on a new object, so not validated)' : isDryRun ? ' (valid)' : '';
      print({ change: what, kind, key, state }, `${what} ${nameOf(change)}${note}`);
    }
    print(
      { changes: changes.length, isDryRun },
      changes.length === 0
        ? 'No changes.'
        : counted(changes.length, isDryRun ? validatedChanges : madeChanges),
    );
  },
});

export const catalog = defineCommand({
  meta: { description: 'Keep the catalog in a file: write, compare, and apply it.' },
  subCommands: { pull, diff, push },
});
