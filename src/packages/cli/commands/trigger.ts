import { reasonFor } from '../missing-recipes.ts';
import { Rejected, UsageError } from '../output.ts';
import { overrideOption, overridesIn } from '../overrides.ts';
import { pageClient, recipeFor, recipes } from '../recipes.ts';
import { command, type Session } from '../session.ts';
import { advanceClock } from './clock.ts';

type Recorded = { readonly position: number; readonly id: string; readonly event: string };

const latestQuery = '{ events(first: 1) { nodes { position } } }';

/** Returns the position of the latest event. 0 if there are no events. */
async function latestPosition({ client }: Session): Promise<number> {
  const { events } = await client.graphql<{ events: { nodes: { position: number }[] } }>(latestQuery);
  return events.nodes[0]?.position ?? 0;
}

/** Maximum time to wait for an event that background work causes. */
const maxWaitMs = 20_000;

/** Returns the first event of a type after a position. Throws if the event isn't recorded within 20 seconds. */
async function firstEvent({ client }: Session, type: string, after: number): Promise<Recorded> {
  const signal = AbortSignal.timeout(maxWaitMs);
  for await (const { position, id, event } of client.events({ after, types: [type as never], signal }))
    return { position, id, event };
  throw new Rejected(
    `The recipe ran, but no ${type} event was recorded within ${maxWaitMs / 1_000} seconds.`,
  );
}

/** Returns the number of subscriptions, up to 100, that the advance of the test clock affects. */
async function countSubscriptions({ client }: Session): Promise<string> {
  const { data, hasMore } = await client.subscriptions.list({ limit: 100 });
  return hasMore ? 'more than 100' : String(data.length);
}

export const trigger = command({
  description: 'Cause an event in a sandbox with real requests.',
  args: {
    event: { type: 'positional', required: false, description: 'Event type, such as invoice.created.' },
    list: { type: 'boolean', description: 'List the event types that can be caused.' },
    override: {
      ...overrideOption,
      description:
        'Values of new customers and prices, such as customer.email=ada@example.com,price.price=9900.',
    },
    yes: { type: 'boolean', description: 'Advance the test clock if the event requires it.' },
  },
  run: async (session, { event, list, yes, override }) => {
    const { client, baseUrl, print, isLive } = session;
    if (list === true) {
      for (const { causes, movesClock = false } of recipes)
        for (const type of causes)
          print({ event: type, movesClock }, `${type}${movesClock ? ' (advances the test clock)' : ''}`);
      return;
    }
    if (event === undefined) throw new UsageError('Set an event type, or --list.');
    const recipe = recipeFor(event);
    const reason = reasonFor(event);
    if (reason !== undefined) throw new UsageError(`${event} can't be triggered because it ${reason}.`);
    if (recipe === undefined)
      throw new UsageError(
        `${event} can't be triggered. Run \`quittance trigger --list\` for the event types that can.`,
      );
    const overrides = overridesIn(override);
    const unknown = [...overrides.keys()].find((path) => !/^(?:customer|price)\./.test(path));
    if (unknown !== undefined)
      throw new UsageError(
        `${unknown} can't be set. Set fields of customer and price, such as customer.email.`,
      );
    if (isLive) throw new UsageError('Events can only be triggered in a sandbox.');
    if (recipe.movesClock === true && yes !== true)
      throw new UsageError(
        `${event} requires an advance of the test clock, which affects all subscriptions (${await countSubscriptions(session)}). Add --yes to advance it.`,
      );
    const after = await latestPosition(session);
    await recipe.run({
      client,
      page: pageClient(baseUrl),
      overrides,
      advanceDays: (days) => advanceClock(session, { advanceDays: days }),
    });
    const recorded = await firstEvent(session, event, after);
    print(recorded, `${recorded.event} ${recorded.id}, position ${recorded.position}`);
  },
});
