import { countText } from '../../ui/format/numbers.ts';
import { type CurrentPage, usePage } from '../data/current-page.ts';
import { rateText } from '../format.ts';
import { type PortalWords, useOwn } from './own.ts';
import { Quiet } from './parts.tsx';
import styles from './portal.module.css';
import { balanceText, type Standing } from './texts.ts';

type Feature = Standing['features'][number];

type Bar = { readonly value: number; readonly max: number } | null;

type MeterProps = { readonly name: string; readonly text: string; readonly bar: Bar; readonly more?: string };

/** A line with a bar of how much of it is gone; without a bar where nothing limits it. */
const Meter = ({ name, text, bar, more = '' }: MeterProps) => (
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
  </li>
);

/** How much of a feature is used, and what is charged beyond what is included. */
function meterOf(
  page: CurrentPage,
  { usage: words }: PortalWords,
  feature: Feature,
  of: Standing,
): MeterProps {
  const { name } = feature;
  if (!('usage' in feature))
    return { name, text: feature.enabled ? words.included : words.notIncluded, bar: null };
  const { current, included, unlimited, overageQuantity, overageUnitPrice } = feature.usage;
  const count = (value: number): string => countText(value, page.language);
  if (unlimited) return { name, text: words.unlimited(count(current)), bar: null };
  const more =
    overageQuantity === 0 || overageUnitPrice === null
      ? ''
      : words.overage(count(overageQuantity), rateText(page, of, overageUnitPrice));
  if (included === 0) return { name, text: words.used(count(current)), bar: null, more };
  const text = (current > included ? words.beyond : words.of)(count(current), count(included));
  return { name, text, bar: { value: current, max: included }, more };
}

/** What a plan includes and how much of it is used, what is left of credits and balance first. */
export function Meters({ subscription }: { readonly subscription: Standing }) {
  const page = usePage();
  const own = useOwn();
  const { credits, balance, features } = subscription;
  return (
    <ul id="features" class={styles.list}>
      {balance === null ? null : (
        <Meter
          name={own.sections.balance}
          text={own.usage.creditsLeft(balanceText({ page, own }, balance.currency, balance.remaining))}
          bar={{ value: balance.remaining, max: Math.max(balance.included, balance.remaining) }}
        />
      )}
      {credits === null ? null : (
        <Meter
          name={own.sections.credits}
          text={own.usage.creditsLeft(countText(credits.remaining, page.language))}
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
