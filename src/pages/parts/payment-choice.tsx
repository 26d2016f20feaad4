import { usePage } from '../data/current-page.ts';
import { useLazyCode } from '../data/lazy-code.ts';
import type { BankAccountProps, Offered } from './bank-account.tsx';
import styles from './choices.module.css';
import section from './section.module.css';

/** Fields of a bank account. Most payers use cards, so the page loads the code on demand. */
export function BankAccountEntry(props: BankAccountProps) {
  const lazyCode = useLazyCode();
  return lazyCode === null ? null : <lazyCode.BankAccountEntry {...props} />;
}

/** Radio buttons for the ways to pay. Renders nothing if there is only one (INS-140). */
export function PaymentChoice({
  offered,
  chosen,
  onChoose,
}: {
  readonly offered: readonly Offered[];
  readonly chosen: string;
  readonly onChoose: (instrument: string) => void;
}) {
  const { payment } = usePage().words;
  const names: Readonly<Record<string, string>> = payment.instruments;
  if (offered.length < 2) return null;
  return (
    <div class={section.fields} role="radiogroup" aria-label={payment.method}>
      {offered.map(({ instrument }) => (
        <label key={instrument} class={styles.option}>
          <input
            type="radio"
            name="instrument"
            id={`instrument-${instrument}`}
            checked={instrument === chosen}
            onChange={() => onChoose(instrument)}
          />
          <span>{names[instrument] ?? instrument}</span>
        </label>
      ))}
    </div>
  );
}
