import { defineCommand } from 'citty';
import { newSigningSecret } from '../../../modules/messages/webhooks/sign.ts';
import { apiVersion, type EventType, type LiveEvent } from '../../sdk/index.ts';
import { customerOf, type Forwarded, Forwarder } from '../forward.ts';
import { interruption } from '../interruption.ts';
import { counted, Rejected, UsageError } from '../output.ts';
import { overridden, overrideOption, overridesIn } from '../overrides.ts';
import { command, environmentOf, readOrganization, type Session } from '../session.ts';
import { writeSettings } from '../settings.ts';

const filters = {
  events: {
    type: 'string',
    valueHint: 'TYPES',
    description: 'Event types to include, separated by commas, such as invoice.created,payment.received.',
  },
  customer: { type: 'string', valueHint: 'ID', description: 'ID of the customer whose events to include.' },
  from: {
    type: 'string',
    valueHint: 'POSITION',
    description: 'Position after which to start. 0 starts with the first event. Defaults to new events.',
  },
} as const;

type Filters = {
  readonly events?: string | undefined;
  readonly customer?: string | undefined;
  readonly from?: string | undefined;
};

/** Returns the events that match the filters until the signal is aborted. */
async function* follow(
  { client }: Session,
  { events, customer, from }: Filters,
  signal: AbortSignal,
): AsyncGenerator<LiveEvent, void> {
  if (from !== undefined && !/^\d{1,15}$/.test(from))
    throw new UsageError('--from must be a whole number of 0 or more.');
  const stream = client.events({
    signal,
    ...(from === undefined ? {} : { after: Number(from) }),
    ...(events === undefined ? {} : { types: events.split(',') as EventType[] }),
  });
  for await (const event of stream) if (customer === undefined || customerOf(event) === customer) yield event;
}

const tail = command({
  description: 'Show events as they are committed.',
  args: filters,
  run: async (session, args) => {
    for await (const event of follow(session, args, interruption()))
      session.print(event, `${event.position} ${event.timestamp} ${event.event} ${event.id}`);
  },
});

export const events = defineCommand({
  meta: { description: 'Show the events of the environment.' },
  subCommands: { tail },
});

const forwardedText = ({ event, id, status, error, durationMs }: Forwarded): string =>
  `${error === null ? String(status) : `failed: ${error}`} ${event} ${id} (${durationMs} ms)`;

/** Calls a function whenever the person presses `r`. Does nothing if the standard input isn't a terminal. */
function onRetryKey(retry: () => void, stop: () => void): void {
  const { stdin } = process;
  if (!stdin.isTTY) return;
  stdin.setRawMode(true);
  stdin.on('data', (bytes) => {
    const key = bytes.toString();
    if (key === 'r') retry();
    // A terminal in raw mode doesn't send SIGINT.
    if (key === '\u0003') stop();
  });
}

/** Returns the secret of the settings, which stays the same for all commands. Creates it before the first use. */
export function secretOf({ settings }: Session): string {
  if (settings.webhookSecret !== undefined) return settings.webhookSecret;
  const webhookSecret = newSigningSecret();
  writeSettings({ ...settings, webhookSecret });
  return webhookSecret;
}

/** Options of commands that forward events. */
export const forwardOptions = {
  ...filters,
  override: {
    ...overrideOption,
    description: 'Values that replace fields of the payloads, such as customerId=ada,invoice.total=0.',
  },
} as const;

/** Throws a usage error if the target of forwarded events isn't a URL. */
export function demandTarget(target: string): void {
  if (!URL.canParse(target)) throw new UsageError(`${target} isn't a URL.`);
}

/** Forwards events to a target until the signal is aborted. Throws if events weren't forwarded. */
export async function forwardEvents(
  session: Session,
  target: string,
  args: Filters & { readonly override?: string | undefined },
  signal: AbortSignal,
): Promise<void> {
  const { client, print } = session;
  const overrides = overridesIn(args.override);
  const organization = await readOrganization(client);
  const secret = secretOf(session);
  const forwarder = new Forwarder(
    target,
    { organizationId: organization.id, mode: environmentOf(organization), apiVersion, secret },
    (result) => print(result, forwardedText(result)),
  );
  onRetryKey(
    () => forwarder.retry(),
    () => process.kill(process.pid, 'SIGINT'),
  );
  print({ forwardTo: target, secret }, `Forwarding to ${target}. Signing secret: ${secret}`);
  for await (const event of follow(session, args, signal))
    forwarder.add({ ...event, data: overridden(event.data, overrides) } as LiveEvent);
  await forwarder.drain();
  process.stdin.pause();
  const { length } = forwarder.failed;
  if (length === 0) return;
  print(
    { failed: forwarder.failed.map(({ position, id }) => ({ position, id })) },
    `Events that weren't forwarded: ${length}`,
  );
  throw new Rejected(
    counted(length, { one: "# event wasn't forwarded.", other: "# events weren't forwarded." }),
  );
}

export const listen = command({
  description:
    'Forward events to a local address, with the headers, body, and signature of a webhook delivery.',
  args: {
    'forward-to': {
      type: 'string',
      required: true,
      valueHint: 'URL',
      description: 'Address that receives the events.',
    },
    ...forwardOptions,
  },
  run: async (session, args) => {
    const target = args['forward-to'];
    demandTarget(target);
    await forwardEvents(session, target, args, interruption());
  },
});
