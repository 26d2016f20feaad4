'use client';

import { type ReactNode, useId, useState } from 'react';
import { useQuittance } from './provider.tsx';
import { filled, type Texts } from './texts.ts';

/** Price of a plan. */
export type PlanPrice = {
  readonly billingInterval: string;
  /** Price in the smallest unit of the currency. */
  readonly price: number;
  /** Lowercase ISO 4217 code. Defaults to `usd`. */
  readonly currency?: string;
};

/** Plan of a pricing table, as `plans.list` of the TypeScript client returns it. */
export type PricedPlan = {
  readonly id: string;
  readonly name: string;
  readonly description?: string | null;
  readonly isFree?: boolean;
  readonly prices: readonly PlanPrice[];
  readonly features?: readonly {
    readonly code: string;
    readonly name: string;
    readonly enabled: boolean;
    readonly includedAmount?: number | null;
    readonly unlimited?: boolean;
  }[];
};

export type PricingTableProps = {
  readonly plans: readonly PricedPlan[];
  /** Called with the chosen plan, and with the interval if the plan has a price. */
  readonly onSelect: (planId: string, billingInterval: string | null) => void;
  /** ID of the current plan, whose button is disabled. */
  readonly currentPlanId?: string | null;
  readonly className?: string;
  /** Replaces the elements of a plan. */
  readonly render?: (plan: PricedPlan, price: PlanPrice | null, select: () => void) => ReactNode;
};

const order = ['weekly', 'monthly', 'quarterly', 'yearly', 'one_time'];

/** Currencies with prices in hundredths that `Intl` shows without decimals. */
const hundredths = new Set(['cop', 'huf', 'idr', 'pkr']);

/** Returns a price with its currency. The number of decimals depends on the currency. */
function priceText({ price, currency = 'usd' }: PlanPrice, locale: string): string {
  const options = { style: 'currency', currency: currency.toUpperCase() } as const;
  const usual = new Intl.NumberFormat(locale, options).resolvedOptions().maximumFractionDigits ?? 2;
  const decimals = hundredths.has(currency) ? 2 : usual;
  const fractionDigits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat(locale, { ...options, ...fractionDigits }).format(price / 10 ** decimals);
}

const featureText = (
  { name, includedAmount, unlimited }: NonNullable<PricedPlan['features']>[number],
  locale: string,
  texts: Texts,
): string => {
  if (unlimited === true) return filled('{name}: {unlimited}', { name, unlimited: texts.unlimited });
  return includedAmount == null || includedAmount === 0
    ? name
    : `${name}: ${new Intl.NumberFormat(locale).format(includedAmount)}`;
};

/** Shows plans with their prices and features, and a selector of the billing interval if there are several. */
export function PricingTable({
  plans,
  onSelect,
  currentPlanId = null,
  className = 'quittance-pricing',
  render,
}: PricingTableProps) {
  const { texts, locale } = useQuittance();
  const found = new Set(plans.flatMap(({ prices }) => prices.map(({ billingInterval }) => billingInterval)));
  const intervals = order.filter((interval) => found.has(interval));
  const [chosen, setChosen] = useState<string | null>(null);
  const tableId = useId();
  const interval = chosen !== null && found.has(chosen) ? chosen : (intervals[0] ?? null);
  return (
    <div className={className}>
      {intervals.length < 2 ? null : (
        <fieldset className={`${className}-intervals`}>
          <legend>{texts.interval}</legend>
          {intervals.map((each) => (
            <button key={each} type="button" aria-pressed={each === interval} onClick={() => setChosen(each)}>
              {texts.intervals[each] ?? each}
            </button>
          ))}
        </fieldset>
      )}
      <ul className={`${className}-plans`}>
        {plans.map((plan) => {
          const price =
            plan.prices.find(({ billingInterval }) => billingInterval === interval) ?? plan.prices[0] ?? null;
          const select = (): void => onSelect(plan.id, price?.billingInterval ?? null);
          if (render !== undefined) return <li key={plan.id}>{render(plan, price, select)}</li>;
          const isSold = price !== null || plan.isFree === true;
          return (
            <li key={plan.id} className={`${className}-plan`}>
              <h3 id={`${tableId}-${plan.id}`}>{plan.name}</h3>
              {plan.description ? <p>{plan.description}</p> : null}
              {!isSold ? null : (
                <p className={`${className}-price`}>
                  {price === null
                    ? texts.free
                    : `${priceText(price, locale)} ${texts.intervals[price.billingInterval] ?? price.billingInterval}`}
                </p>
              )}
              <ul className={`${className}-features`}>
                {(plan.features ?? [])
                  .filter(({ enabled }) => enabled)
                  .map((feature) => (
                    <li key={feature.code}>{featureText(feature, locale, texts)}</li>
                  ))}
              </ul>
              <button
                type="button"
                id={`${tableId}-choose-${plan.id}`}
                aria-labelledby={`${tableId}-choose-${plan.id} ${tableId}-${plan.id}`}
                disabled={!isSold || plan.id === currentPlanId}
                onClick={select}
              >
                {texts.choose}
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
