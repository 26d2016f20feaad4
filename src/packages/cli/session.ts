import { type ArgsDef, type CommandDef, defineCommand, type ParsedArgs } from 'citty';
import { Quittance } from '../sdk/index.ts';
import { fail, type Print, printer, UsageError } from './output.ts';
import { readSettings, type Settings } from './settings.ts';

const defaultUrl = 'http://127.0.0.1:4000';

/** Arguments of every command. */
const common = {
  json: { type: 'boolean', description: 'Print one line of JSON per result.' },
  'base-url': {
    type: 'string',
    valueHint: 'URL',
    description: `Address of the service. Defaults to QUITTANCE_URL, the stored address, or ${defaultUrl}.`,
  },
  'api-key': {
    type: 'string',
    valueHint: 'KEY',
    description: 'API key. Defaults to QUITTANCE_API_KEY or the stored key.',
  },
  live: { type: 'boolean', description: 'Allow a command with the key of a live environment.' },
} as const satisfies ArgsDef;

/** Context of a command. */
export type Session = {
  readonly client: Quittance;
  readonly baseUrl: string;
  /** `undefined` if the command runs without a key. */
  readonly apiKey: string | undefined;
  /** Whether the key belongs to a live environment. */
  readonly isLive: boolean;
  readonly settings: Settings;
  readonly print: Print;
};

/** Organization of an API key. `livemode` is true if the key belongs to the live environment. */
type Organization = { readonly id: string; readonly name: string; readonly livemode: boolean };

/** Reads the organization of a client's API key. */
export async function readOrganization(client: Quittance): Promise<Organization> {
  const { organization } = await client.graphql<{ organization: Organization }>(
    '{ organization { id name livemode } }',
  );
  return organization;
}

/** Returns the name of the environment to which an API key belongs. */
export const environmentOf = ({ livemode }: Pick<Organization, 'livemode'>): 'live' | 'sandbox' =>
  livemode ? 'live' : 'sandbox';

/** Returns the names in `args` that the command doesn't define. */
const unknownOptions = (args: Readonly<Record<string, unknown>>, known: ArgsDef): string[] => {
  const camelCase = (name: string): string =>
    name.replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());
  const names = new Set(
    Object.entries(known).flatMap(([name, definition]) => [
      name,
      camelCase(name),
      ...[('alias' in definition ? (definition.alias as string) : undefined) ?? []].flat(),
    ]),
  );
  return Object.keys(args).filter((name) => name !== '_' && !names.has(name));
};

type Run<T extends ArgsDef> = (session: Session, args: ParsedArgs<T>) => Promise<void> | void;

type Definition<T extends ArgsDef> = {
  readonly description: string;
  readonly args?: T;
  /** Whether the command runs without an API key. Defaults to `false`. */
  readonly isOpen?: boolean;
  readonly run: Run<T>;
};

/** Returns the context of a command. Throws a usage error if a required key is missing. */
export function openSession(args: Readonly<Record<string, unknown>>, isOpen: boolean): Session {
  const settings = readSettings();
  const baseUrl = String(args['base-url'] ?? process.env['QUITTANCE_URL'] ?? settings.baseUrl ?? defaultUrl);
  const key = args['api-key'] ?? process.env['QUITTANCE_API_KEY'] ?? settings.apiKey;
  const apiKey = key === undefined || key === '' ? undefined : String(key);
  if (!URL.canParse(baseUrl)) throw new UsageError(`${baseUrl} isn't a URL.`);
  if (apiKey === undefined && !isOpen)
    throw new UsageError(
      'An API key is required: run `quittance login` or `quittance provision`, or set QUITTANCE_API_KEY.',
    );
  const isLive = apiKey?.startsWith('ck_live_') === true;
  if (isLive && args['live'] !== true && !isOpen)
    throw new UsageError('The API key belongs to a live environment. Add --live to run the command.');
  return {
    client: new Quittance({ baseUrl, ...(apiKey === undefined ? {} : { apiKey }) }),
    baseUrl,
    apiKey,
    isLive,
    settings,
    print: printer(args['json'] === true),
  };
}

/**
 * Defines a command with the arguments of all commands. Errors are printed, and set the exit code of the process: 1 if the service
 * rejects the request, 2 if an argument is invalid, and 3 if the service doesn't respond.
 */
export const command = <const T extends ArgsDef>({
  description,
  args: own,
  isOpen = false,
  run,
}: Definition<T>): CommandDef => {
  const known = { ...common, ...own } as ArgsDef;
  return defineCommand({
    meta: { description },
    args: known,
    run: async ({ args }) => {
      try {
        const unknown = unknownOptions(args, known);
        if (unknown.length > 0) throw new UsageError(`The option --${unknown[0]} doesn't exist.`);
        const positions = Object.values(known).filter(({ type }) => type === 'positional').length;
        if (args._.length > positions) throw new UsageError(`${args._[positions]} isn't expected.`);
        await run(openSession(args, isOpen), args as ParsedArgs<T>);
      } catch (error) {
        process.exitCode = fail(error, args['json'] === true);
      }
    },
  });
};
