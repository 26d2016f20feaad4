import { dateText, dateTimeText, periodText, relativeText } from '../../ui/format/dates.ts';
import { durationText } from '../../ui/format/durations.ts';
import { moneyText, rateText, type Whole } from '../../ui/format/money.ts';
import { countryText } from '../../ui/format/names.ts';
import {
  basisPointsText,
  boundedCountText,
  compactCountText,
  countText,
  percentText,
} from '../../ui/format/numbers.ts';
import { useKit } from './provider.tsx';
import styles from './values.module.css';

type Amount = { readonly currency: string };

/** Minor units of a currency. Negative amounts have their sign; `sign` gives positive ones a plus. */
export function Money({
  minor,
  currency,
  sign = false,
}: Amount & { readonly minor: Whole; readonly sign?: boolean }) {
  const { locale } = useKit();
  return <span className={styles.number}>{moneyText(minor, currency, locale, { sign })}</span>;
}

/** A rate, of which 10 000 are 1.00, with up to four decimals and the unit it is per. */
export function Rate({ rate, currency, per }: Amount & { readonly rate: Whole; readonly per?: string }) {
  const { locale } = useKit();
  return (
    <span className={styles.number}>
      {rateText(rate, currency, locale)}
      {per !== undefined && <span className={styles.unit}> / {per}</span>}
    </span>
  );
}

/** A whole number; `bound` for one that was counted up to a bound. */
export function Count({
  value,
  isExact = true,
  compact = false,
}: {
  readonly value: number;
  readonly isExact?: boolean;
  readonly compact?: boolean;
}) {
  const { locale } = useKit();
  const text = compact ? compactCountText(value, locale) : countText(value, locale);
  return (
    <span className={styles.number}>{isExact ? text : boundedCountText({ value, isExact }, locale)}</span>
  );
}

/** A share of one. */
export function Percent({ share, sign = false }: { readonly share: number; readonly sign?: boolean }) {
  const { locale } = useKit();
  return <span className={styles.number}>{percentText(share, locale, { sign })}</span>;
}

/** Basis points as a percentage. */
export function BasisPoints({ value }: { readonly value: number }) {
  const { locale } = useKit();
  return <span className={styles.number}>{basisPointsText(value, locale)}</span>;
}

type InstantProps = { readonly at: string | Date };

const iso = (at: string | Date) => new Date(at).toISOString();

/** The date of an instant; the time and zone stand in its title. */
export function DateText({ at }: InstantProps) {
  const settings = useKit();
  return (
    <time dateTime={iso(at)} title={dateTimeText(at, settings)} className={styles.number}>
      {dateText(at, settings)}
    </time>
  );
}

/** The date and time of an instant with its zone. */
export function DateTime({ at }: InstantProps) {
  const settings = useKit();
  return (
    <time dateTime={iso(at)} className={styles.number}>
      {dateTimeText(at, settings)}
    </time>
  );
}

/** How far an instant is from now; the date and time stand in its title. */
export function RelativeTime({ at }: InstantProps) {
  const settings = useKit();
  return (
    <time dateTime={iso(at)} title={dateTimeText(at, settings)} className={styles.number}>
      {relativeText(at, settings.now(), settings.locale)}
    </time>
  );
}

/** A half-open period by its first and last day. */
export function Period({ from, until }: { readonly from: string | Date; readonly until: string | Date }) {
  return <span className={styles.number}>{periodText(from, until, useKit())}</span>;
}

/** A span in milliseconds. */
export function Duration({ milliseconds }: { readonly milliseconds: number }) {
  const { locale } = useKit();
  return <span className={styles.number}>{durationText(milliseconds, locale)}</span>;
}

/** A country by its two-letter code. */
export function Country({ code }: { readonly code: string }) {
  return <>{countryText(code, useKit().locale)}</>;
}
