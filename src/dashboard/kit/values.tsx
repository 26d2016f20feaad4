import { dateText, dateTimeText, periodText, relativeText } from '../../ui/format/dates.ts';
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

/** Amount in minor units, formatted in its currency. `sign` adds a plus sign to positive amounts. */
export function Money({
  minor,
  currency,
  sign = false,
}: Amount & { readonly minor: Whole; readonly sign?: boolean }) {
  const { locale } = useKit();
  return <span className={styles.number}>{moneyText(minor, currency, locale, { sign })}</span>;
}

/** Rate with up to four decimals and its unit. The value is in ten-thousandths of the currency unit (10,000 = 1.00). */
export function Rate({ rate, currency, per }: Amount & { readonly rate: Whole; readonly per?: string }) {
  const { locale } = useKit();
  return (
    <span className={styles.number}>
      {rateText(rate, currency, locale)}
      {per !== undefined && <span className={styles.unit}> / {per}</span>}
    </span>
  );
}

/** Whole number. A number with `isExact={false}` is a lower bound, because counting stopped there. */
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

/** Share from 0 to 1, formatted as a percentage. */
export function Percent({ share, sign = false }: { readonly share: number; readonly sign?: boolean }) {
  const { locale } = useKit();
  return <span className={styles.number}>{percentText(share, locale, { sign })}</span>;
}

/** Value in basis points, formatted as a percentage. */
export function BasisPoints({ value }: { readonly value: number }) {
  const { locale } = useKit();
  return <span className={styles.number}>{basisPointsText(value, locale)}</span>;
}

type InstantProps = { readonly at: string | Date };

const iso = (at: string | Date) => new Date(at).toISOString();

/** Date of a point in time. The tooltip shows the time of day and the time zone. */
export function DateText({ at }: InstantProps) {
  const settings = useKit();
  return (
    <time dateTime={iso(at)} title={dateTimeText(at, settings)} className={styles.number}>
      {dateText(at, settings)}
    </time>
  );
}

/** Date and time of day, with the time zone. */
export function DateTime({ at }: InstantProps) {
  const settings = useKit();
  return (
    <time dateTime={iso(at)} className={styles.number}>
      {dateTimeText(at, settings)}
    </time>
  );
}

/** Time relative to now, such as "2 hours ago". The tooltip shows the date and time. */
export function RelativeTime({ at }: InstantProps) {
  const settings = useKit();
  return (
    <time dateTime={iso(at)} title={dateTimeText(at, settings)} className={styles.number}>
      {relativeText(at, settings.now(), settings.locale)}
    </time>
  );
}

/** Billing period, displayed with its first and last day. `until` is exclusive. */
export function Period({ from, until }: { readonly from: string | Date; readonly until: string | Date }) {
  return <span className={styles.number}>{periodText(from, until, useKit())}</span>;
}

export function Country({ code }: { readonly code: string }) {
  return <>{countryText(code, useKit().locale)}</>;
}
