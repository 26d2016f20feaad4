import { isNew, type PlanDraft, type PriceDraft } from './plan-draft.ts';
import type { About, Line, Reach, Step } from './step.ts';
import { sameJson } from './step.ts';

const aboutPrice = ({ interval, label, id }: PriceDraft): About => ({ interval, label, priceId: id });

/**
 * Returns the time at which a change to an included amount takes effect. An increase applies to the current usage
 * window, a decrease at renewal. On free plans, both apply at the monthly reset.
 */
const includedReach = (plan: PlanDraft, from: number | null, to: number | null): Reach => {
  if (plan.isFree) return 'reset';
  return (to ?? 0) > (from ?? 0) ? 'now' : 'renewal';
};

const marketInputs = (price: PriceDraft): unknown[] =>
  Object.entries(price.markets).map(([marketGroupId, { currency, price: amount }]) => ({
    marketGroupId,
    currency,
    price: amount,
  }));

function marketLines(saved: PriceDraft, draft: PriceDraft): Line[] {
  const ids = new Set([...Object.keys(saved.markets), ...Object.keys(draft.markets)]);
  return [...ids].flatMap((id): Line[] => {
    const [from = null, to = null] = [saved.markets[id], draft.markets[id]];
    return sameJson(from, to) ? [] : [{ what: `market:${id}`, from, to, reaches: 'renewal', kind: 'money' }];
  });
}

function changedLines(plan: PlanDraft, saved: PriceDraft, draft: PriceDraft): Line[] {
  const lines: Line[] = [];
  if (saved.price !== draft.price)
    lines.push({
      what: 'price',
      from: saved.price,
      to: draft.price,
      kind: 'money',
      currency: 'usd',
      reaches: 'renewal',
    });
  if (saved.trialDays !== draft.trialDays)
    lines.push({
      what: 'trialDays',
      from: saved.trialDays,
      to: draft.trialDays,
      kind: 'days',
      reaches: 'new_only',
    });
  if (saved.includedCredits !== draft.includedCredits)
    lines.push({
      what: 'includedCredits',
      from: saved.includedCredits,
      to: draft.includedCredits,
      kind: 'count',
      reaches: includedReach(plan, saved.includedCredits, draft.includedCredits),
    });
  if (saved.includedBalance !== draft.includedBalance)
    lines.push({
      what: 'includedBalance',
      from: saved.includedBalance,
      to: draft.includedBalance,
      kind: 'rate',
      currency: 'usd',
      reaches: includedReach(plan, saved.includedBalance, draft.includedBalance),
    });
  if (saved.minimumSpend !== draft.minimumSpend)
    lines.push({
      what: 'minimumSpend',
      from: saved.minimumSpend,
      to: draft.minimumSpend,
      kind: 'money',
      currency: 'usd',
      reaches: 'renewal',
    });
  if (saved.label !== draft.label)
    lines.push({ what: 'label', from: saved.label, to: draft.label, reaches: 'text' });
  return [...lines, ...marketLines(saved, draft)];
}

function updateStep(plan: PlanDraft, saved: PriceDraft, draft: PriceDraft): Step[] {
  const lines = changedLines(plan, saved, draft);
  if (lines.length === 0) return [];
  const { price, trialDays, includedBalance, includedCredits, minimumSpend, label } = draft;
  const changes = {
    ...(price !== saved.price && { price }),
    ...(trialDays !== saved.trialDays && { trialDays }),
    ...(includedBalance !== saved.includedBalance && { includedBalance }),
    ...(includedCredits !== saved.includedCredits && { includedCredits }),
    ...(minimumSpend !== saved.minimumSpend && { minimumSpend }),
    ...(label !== saved.label && { metadata: { name: label } }),
    ...(!sameJson(saved.markets, draft.markets) && { marketPrices: marketInputs(draft) }),
  };
  return [
    {
      command: 'priceUpdate',
      about: aboutPrice(draft),
      lines,
      input: () => ({ planId: plan.id, priceId: draft.id, ...changes }),
    },
  ];
}

/** Returns the command that adds a price to a plan. */
export function addPriceStep(plan: PlanDraft, draft: PriceDraft): Step {
  const isVariant = draft.baseId !== null;
  const amounts = {
    price: draft.price,
    trialDays: draft.trialDays,
    ...(draft.includedCredits !== null && { includedCredits: draft.includedCredits }),
    ...(draft.includedBalance !== null && { includedBalance: draft.includedBalance }),
    ...(draft.minimumSpend !== null && { minimumSpend: draft.minimumSpend }),
  };
  return {
    command: 'priceAdd',
    about: aboutPrice(draft),
    lines: [
      {
        what: isVariant ? 'variantAdded' : 'priceAdded',
        from: null,
        to: isVariant ? draft.label : draft.price,
        reaches: 'new_only',
        ...(!isVariant && { kind: 'money', currency: 'usd' }),
      },
      ...marketLines({ ...draft, markets: {} }, draft).map(
        (line): Line => ({ ...line, reaches: 'new_only' }),
      ),
    ],
    makes: draft.id,
    input: (idOf) => ({
      planId: idOf(plan.id),
      billingInterval: draft.interval,
      ...(isVariant ? { inheritsFromPriceId: idOf(draft.baseId ?? '') } : amounts),
      ...(Object.keys(draft.markets).length > 0 && { marketPrices: marketInputs(draft) }),
      ...(draft.label !== '' && { metadata: { name: draft.label } }),
    }),
  };
}

const archiveStep = (plan: PlanDraft, price: PriceDraft): Step => ({
  command: 'priceArchive',
  about: aboutPrice(price),
  lines: [
    {
      what: 'priceArchived',
      from: price.baseId === null ? price.price : price.label,
      to: null,
      reaches: 'new_only',
      ...(price.baseId === null && { kind: 'money', currency: 'usd' }),
    },
  ],
  input: () => ({ planId: plan.id, priceId: price.id }),
});

/** The default price has its own command. The first price of a plan is always the default, so it doesn't need this command. */
function defaultSteps(saved: PlanDraft, draft: PlanDraft): Step[] {
  const before = saved.prices.find(({ isDefault }) => isDefault);
  const after = draft.prices.find(({ isDefault }) => isDefault);
  if (after === undefined || after.id === before?.id || (before === undefined && draft.prices[0] === after))
    return [];
  return [
    {
      command: 'priceDefault',
      about: aboutPrice(after),
      lines: [{ what: 'default', from: before?.interval ?? null, to: after.interval, reaches: 'new_only' }],
      input: (idOf) => ({ planId: draft.id, priceId: idOf(after.id) }),
    },
  ];
}

const offerSteps = (saved: PlanDraft, draft: PlanDraft): Step[] =>
  draft.prices
    .filter(({ baseId }) => baseId === null)
    .flatMap((price): Step[] => {
      const before = saved.prices.find(({ id }) => id === price.id)?.offerId ?? null;
      if (before === price.offerId) return [];
      return [
        {
          command: 'priceOffer',
          about: aboutPrice(price),
          lines: [{ what: 'offer', from: before, to: price.offerId, reaches: 'new_only' }],
          input: (idOf) => ({ planId: draft.id, priceId: idOf(price.id), offerId: price.offerId }),
        },
      ];
    });

/** Returns the commands for prices. Base prices are created before their variants, and archived last, so that a default price always exists. */
export function priceSteps(saved: PlanDraft, draft: PlanDraft): Step[] {
  const before = new Map(saved.prices.map((price) => [price.id, price]));
  const after = new Set(draft.prices.map(({ id }) => id));
  const added = draft.prices.filter(isNew);
  const archived = saved.prices.filter(({ id }) => !after.has(id));
  return [
    ...draft.prices.flatMap((price) => {
      const old = before.get(price.id);
      return old === undefined ? [] : updateStep(draft, old, price);
    }),
    ...added.filter(({ baseId }) => baseId === null).map((price) => addPriceStep(draft, price)),
    ...added.filter(({ baseId }) => baseId !== null).map((price) => addPriceStep(draft, price)),
    ...defaultSteps(saved, draft),
    ...offerSteps(saved, draft),
    ...archived.filter(({ baseId }) => baseId !== null).map((price) => archiveStep(draft, price)),
    ...archived.filter(({ baseId }) => baseId === null).map((price) => archiveStep(draft, price)),
  ];
}
