import type { Shop } from './factories.ts';

// Converts previews and actual results to the same format, without IDs and numbers, which previews don't have.

const shared = `status invoiceType currency subtotal discountAmount creditApplied taxAmount total periodStart periodEnd issueDate dueDate planName paidAt
  lineItems { lineType featureName description quantity unitAmount amount chargeType }`;

/** Previewed or issued invoice, in a format for comparison. */
export type Emitted = Readonly<Record<string, unknown>> & { readonly total: number; readonly status: string };
type Identified = Emitted & { readonly id: string | null };

const invoiceFields = `invoices { id: invoiceId ${shared} payments { status amount currency declineCode } }`;
const totalFields = 'totals { currency invoiced tax collected unpaid }';
const subscriptionFields =
  'subscription { id: subscriptionId status currentPeriod { start end } nextBillingDate cancelAtPeriodEnd trialEndsAt endDate }';

export type PreviewAnswer = {
  readonly at: string;
  readonly rejection: { readonly code: string; readonly param: string | null } | null;
  readonly invoices: readonly (Identified & { readonly payments: readonly Emitted[] })[];
  readonly totals: readonly unknown[];
  readonly events: readonly string[];
  readonly subscription: Readonly<Record<string, unknown>> | null;
};

export async function preview(
  { t, key }: Shop,
  command: Readonly<Record<string, unknown>>,
): Promise<PreviewAnswer> {
  const { subscriptionPreview } = await t.graphql<{ subscriptionPreview: PreviewAnswer }>(
    `query ($command: SubscriptionPreviewInput!) { subscriptionPreview(command: $command) {
       at rejection { code param } ${invoiceFields} ${totalFields} events ${subscriptionFields} } }`,
    { command },
    { key },
  );
  return subscriptionPreview;
}

/** Returns the forecast of a subscription's invoices. */
export async function forecast(
  { t, key }: Shop,
  id: string,
  months: number,
): Promise<Omit<PreviewAnswer, 'events' | 'at'>> {
  const { subscriptionForecast } = await t.graphql<{
    subscriptionForecast: Omit<PreviewAnswer, 'events' | 'at'>;
  }>(
    `query ($id: ID!, $months: Int!) { subscriptionForecast(id: $id, months: $months) {
       rejection { code param } ${invoiceFields} ${totalFields} ${subscriptionFields} } }`,
    { id, months },
    { key },
  );
  return subscriptionForecast;
}

export type SimulationAnswer = {
  readonly completedDeadlineCount: number;
  readonly failedDeadlineCount: number;
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly invoices: PreviewAnswer['invoices'];
  readonly totals: readonly unknown[];
};

export const itemFields = 'kind status dueAt subscriptionId customerName outcome detail error';

/** Returns the preview of advancing the test clock. */
export async function simulation(
  { t, key }: Shop,
  input: Readonly<Record<string, unknown>>,
): Promise<SimulationAnswer> {
  const { testClockSimulate } = await t.graphql<{ testClockSimulate: SimulationAnswer }>(
    `query ($input: TestClockSimulateInput!) { testClockSimulate(input: $input) {
       completedDeadlineCount failedDeadlineCount items { ${itemFields} } ${invoiceFields} ${totalFields} } }`,
    { input },
    { key },
  );
  return testClockSimulate;
}

/** Returns all invoices by ID, in the order of their numbers. */
export async function issued({ t, key }: Shop): Promise<Map<string, Emitted>> {
  const found: (Emitted & { id: string })[] = [];
  for (let after: string | null = null; ; ) {
    type Page = {
      invoices: {
        edges: { node: Emitted & { id: string } }[];
        pageInfo: { hasNextPage: boolean; endCursor: string | null };
      };
    };
    const page: Page = await t.graphql<Page>(
      `query ($after: String) { invoices(first: 100, after: $after) { edges { node { id ${shared} } } pageInfo { hasNextPage endCursor } } }`,
      { after },
      { key },
    );
    found.push(...page.invoices.edges.map(({ node }) => node));
    if (!page.invoices.pageInfo.hasNextPage) break;
    after = page.invoices.pageInfo.endCursor;
  }
  return new Map(found.toReversed().map(({ id, ...emitted }) => [id, emitted as Emitted]));
}

/** Converts a previewed invoice to the format of an issued invoice. */
export const emitted = ({
  id: _id,
  payments: _payments,
  ...rest
}: PreviewAnswer['invoices'][number]): Emitted => rest as Emitted;

/**
 * Returns the event types after a position, in order, and the last position. Omits events about the release of the organization's funds.
 */
export async function sentSince(
  { t, key }: Shop,
  position: number,
): Promise<{ readonly kinds: string[]; readonly position: number }> {
  type Page = { events: { edges: { node: { event: string; position: number } }[] } };
  const { events } = await t.graphql<Page>(
    '{ events(first: 100) { edges { node { event position } } } }',
    {},
    { key },
  );
  const nodes = events.edges.map(({ node }) => node);
  return {
    kinds: nodes
      .filter((node) => node.position > position && node.event !== 'payout_available')
      .map(({ event }) => event)
      .toReversed(),
    position: nodes[0]?.position ?? 0,
  };
}
