import { basePrices, type PlanDraft, type PriceDraft } from './plan-draft.ts';
import { type Line, type Step, sameJson } from './step.ts';

// Changes to amounts in other currencies. If a currency has an exchange rate, one command sends all of its amounts. Otherwise, each price has its own
// command.

/** Returns the prices that lost an amount. The service can't remove a single amount, only all amounts of a price. */
const clearedPrices = (saved: PlanDraft, draft: PlanDraft): PriceDraft[] =>
  basePrices(draft).filter((price) => {
    const before = saved.prices.find(({ id }) => id === price.id);
    return (
      before !== undefined &&
      Object.keys(before.typed).some((currency) => price.typed[currency] === undefined)
    );
  });

function priceLines(saved: PlanDraft, draft: PlanDraft, currency: string): Line[] {
  return basePrices(draft).flatMap((price): Line[] => {
    const before = saved.prices.find(({ id }) => id === price.id)?.typed[currency];
    const after = price.typed[currency];
    if (sameJson(before ?? null, after ?? null)) return [];
    return [
      {
        what: `amount:${price.interval}`,
        from: before?.price ?? null,
        to: after?.price ?? null,
        kind: 'money',
        currency,
        reaches: 'renewal',
      },
    ];
  });
}

function featureLines(saved: PlanDraft, draft: PlanDraft, currency: string): Line[] {
  return draft.features.flatMap((feature): Line[] => {
    const before = saved.features.find(({ featureId }) => featureId === feature.featureId)?.typed[currency];
    const after = feature.typed[currency];
    if (before === after) return [];
    const isLower = before !== undefined && after !== undefined && after < before;
    return [
      {
        what: `unit:${feature.name}`,
        from: before ?? null,
        to: after ?? null,
        kind: 'rate',
        currency,
        reaches: isLower ? 'now' : 'next_period',
      },
    ];
  });
}

function currencyLines(saved: PlanDraft, draft: PlanDraft, currency: string): Line[] {
  const [from = null, to = null] = [saved.rates[currency], draft.rates[currency]];
  const rate: Line[] =
    from === to ? [] : [{ what: 'exchangeRate', from, to, kind: 'exchange', currency, reaches: 'renewal' }];
  return [...rate, ...priceLines(saved, draft, currency), ...featureLines(saved, draft, currency)];
}

const amountInput = (price: PriceDraft, currency: string) => {
  const typed = price.typed[currency];
  return typed === undefined
    ? null
    : {
        price: typed.price,
        ...(typed.includedBalance !== null && { includedBalance: typed.includedBalance }),
      };
};

function setStep(draft: PlanDraft, currency: string, lines: readonly Line[]): Step {
  const prices = basePrices(draft).filter((price) => price.typed[currency] !== undefined);
  const features = draft.features.filter((feature) => feature.typed[currency] !== undefined);
  return {
    command: 'currencySet',
    about: { currency },
    lines,
    input: (idOf) => ({
      planId: draft.id,
      currency,
      exchangeRate: draft.rates[currency],
      ...(prices.length > 0 && {
        prices: prices.map((price) => ({ priceId: idOf(price.id), ...amountInput(price, currency) })),
      }),
      ...(features.length > 0 && {
        features: features.map((feature) => ({
          featureId: feature.featureId,
          overageUnitPrice: feature.typed[currency],
        })),
      }),
    }),
  };
}

/** Returns the command for the typed amounts of a price in currencies without an exchange rate. */
function upsertStep(
  saved: PlanDraft,
  draft: PlanDraft,
  price: PriceDraft,
  currencies: readonly string[],
): Step {
  const about = { interval: price.interval, label: price.label, priceId: price.id };
  return {
    command: 'regionalUpsert',
    about,
    lines: currencies.flatMap((currency) =>
      priceLines(saved, { ...draft, prices: [price] }, currency).map(
        (line): Line => ({ ...line, what: `amountIn:${currency}` }),
      ),
    ),
    input: (idOf) => ({
      planId: draft.id,
      priceId: idOf(price.id),
      overrides: currencies.map((currency) => ({ currency, ...amountInput(price, currency) })),
    }),
  };
}

/**
 * Returns the commands for amounts in other currencies. To remove a typed amount, all amounts of its price are removed, and the remaining amounts are
 * sent again.
 */
export function currencySteps(saved: PlanDraft, draft: PlanDraft): Step[] {
  const cleared = clearedPrices(saved, draft);
  const removal = cleared.map(
    (price): Step => ({
      command: 'regionalDelete',
      about: { interval: price.interval, label: price.label, priceId: price.id },
      // If the currency has an exchange rate, the change is listed with the converted amounts.
      lines: Object.keys(saved.prices.find(({ id }) => id === price.id)?.typed ?? {})
        .filter((currency) => draft.rates[currency] === undefined && price.typed[currency] === undefined)
        .flatMap((currency) => priceLines(saved, { ...draft, prices: [price] }, currency))
        .map((line): Line => ({ ...line, what: `amountIn:${line.currency}` })),
      input: () => ({ planId: draft.id, priceId: price.id }),
    }),
  );
  const rated = Object.keys(draft.rates).flatMap((currency) => {
    const lines = currencyLines(saved, draft, currency);
    return lines.length > 0 || cleared.length > 0 ? [setStep(draft, currency, lines)] : [];
  });
  const single = basePrices(draft).flatMap((price) => {
    const before = saved.prices.find(({ id }) => id === price.id)?.typed ?? {};
    const currencies = Object.keys(price.typed).filter(
      (currency) =>
        draft.rates[currency] === undefined &&
        (cleared.includes(price) || !sameJson(before[currency] ?? null, price.typed[currency])),
    );
    return currencies.length === 0 ? [] : [upsertStep(saved, draft, price, currencies)];
  });
  return [...removal, ...rated, ...single];
}
