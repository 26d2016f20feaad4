import { useState } from 'preact/hooks';
import { usePage } from '../data/current-page.ts';
import styles from './order.module.css';

/** Order row with its text and amount. */
export type OrderRow = {
  readonly label: string;
  readonly amount: string;
  /** Explanation of the amount, collapsed by default. */
  readonly why?: string | undefined;
};

/** Text of a row with its collapsed explanation. Doesn't require scripts. */
const Explained = ({ label, why }: Pick<OrderRow, 'label' | 'why'>) => {
  const { order } = usePage().words;
  return (
    <details class={styles.why}>
      <summary class={styles.ask}>
        {label} <span class={styles.word}>{order.why}</span>
      </summary>
      <p class={styles.reason}>{why}</p>
    </details>
  );
};

const Row = ({ label, amount, why }: OrderRow) => (
  <tr>
    <th scope="row" class={styles.label}>
      {why ? <Explained label={label} why={why} /> : label}
    </th>
    <td class={styles.amount}>{amount}</td>
  </tr>
);

/** Line items and totals of an order. On phones, several rows are collapsed. */
export function Order({
  lines,
  totals,
}: {
  readonly lines: readonly OrderRow[];
  readonly totals: readonly OrderRow[];
}) {
  const { words } = usePage();
  const canFold = lines.length + totals.length > 5;
  const [isOpen, setIsOpen] = useState(false);
  if (lines.length === 0) return null;
  return (
    <section id="order" class={canFold && !isOpen ? styles.folded : undefined} aria-label={words.order.title}>
      {canFold ? (
        <button
          type="button"
          class={styles.fold}
          aria-expanded={isOpen}
          onClick={() => setIsOpen((before) => !before)}
        >
          {words.order.details}
        </button>
      ) : null}
      <table class={styles.table}>
        <tbody id="lines" class={styles.lines}>
          {lines.map((line) => (
            <Row key={`${line.label} ${line.amount}`} {...line} />
          ))}
        </tbody>
        <tfoot id="totals" class={styles.totals}>
          {totals.map((total) => (
            <Row key={total.label} {...total} />
          ))}
        </tfoot>
      </table>
    </section>
  );
}
