import type { ComponentChildren } from 'preact';
import { countText } from '../../ui/format/numbers.ts';
import { type CurrentPage, usePage } from '../data/current-page.ts';
import { rateText } from '../format.ts';
import { Tiers } from '../parts/tiers.tsx';
import { Quiet } from './parts.tsx';
import { decreaseText } from './pending.tsx';
import styles from './portal.module.css';
import { type PortalWords, useOwn } from './portal-words.ts';
import { balanceText, type Standing } from './texts.ts';

type Feature = Standing['features'][number];

type Bar = { readonly value: number; readonly max: number } | null;

type MeterProps = {
  readonly name: string;
  readonly text: string;
  readonly bar: Bar;
  readonly more?: string;
  /** Table of the prices of units above the included amount. */
  readonly tiers?: ComponentChildren;
};

/** Usage with a progress bar. Usage without a limit has no bar. */
const Meter = ({ name, text, bar, more = '', tiers = null }: MeterProps) => (
  <li class={styles.meter}>
    <span class={styles.line}>
      <span>{name}</span>
      <span>{text}</span>
    </span>
    {bar === null || bar.max <= 0 ? null : (
      <progress
        class={styles.bar}
        max={bar.max}
        value={Math.min(Math.max(bar.value, 0), bar.max)}
        aria-label={name}
      />
    )}
    {more === '' ? null : <Quiet>{more}</Quiet>}
    {tiers}
  </li>
);

/** Returns the usage of a feature and its overage charges. */
function meterOf(page: CurrentPage, own: PortalWords, feature: Feature, of: Standing): MeterProps {
  const { usage: words } = own;
  const { name } = feature;
  if (!('usage' in feature))
    return { name, text: feature.enabled ? words.included : words.notIncluded, bar: null };
  const { current, included, unlimited, overageQuantity, overageUnitPrice, rate } = feature.usage;
  const count = (value: number): string => countText(value, page.language);
  const more = [
    overageQuantity === 0 || overageUnitPrice === null
      ? ''
      : rate === null
        ? words.overage({ quantity: count(overageQuantity), price: rateText(page, of, overageUnitPrice) })
        : words.overageOfTiers({ quantity: count(overageQuantity) }),
    decreaseText({ page, own }, of, feature.usage),
  ]
    .filter((text) => text !== '')
    .join(' ');
  const tiers =
    rate === null ? null : <Tiers rate={rate} priced={of} words={own.tiers} included={included} />;
  if (unlimited) return { name, text: words.unlimited({ used: count(current) }), bar: null, more };
  if (included === 0) return { name, text: words.used({ used: count(current) }), bar: null, more, tiers };
  const text = (current > included ? words.beyond : words.of)({
    used: count(current),
    included: count(included),
  });
  return { name, text, bar: { value: current, max: included }, more, tiers };
}

/** Shows the remaining credits and balance, and the usage of the plan's features. */
export function Meters({ subscription }: { readonly subscription: Standing }) {
  const page = usePage();
  const own = useOwn();
  const { credits, balance, features, pools } = subscription;
  // Without credits, the amount is of the first custom unit.
  const unit = pools.some(({ asset }) => asset === 'credits')
    ? null
    : (pools.find((pool) => pool.unit !== null)?.unit ?? null);
  return (
    <ul id="features" class={styles.list}>
      {balance === null ? null : (
        <Meter
          name={own.sections.balance}
          text={own.usage.creditsLeft({
            left: balanceText({ page, own }, balance.currency, balance.remaining),
          })}
          bar={{ value: balance.remaining, max: Math.max(balance.included, balance.remaining) }}
        />
      )}
      {credits === null ? null : (
        <Meter
          name={unit === null ? own.sections.credits : unit.name}
          text={own.usage.creditsLeft({ left: countText(credits.remaining, page.language) })}
          bar={{
            value: credits.remaining,
            max: Math.max(credits.included + credits.purchased, credits.remaining),
          }}
        />
      )}
      {features.map((feature) => (
        <Meter key={feature.code} {...meterOf(page, own, feature, subscription)} />
      ))}
    </ul>
  );
}
