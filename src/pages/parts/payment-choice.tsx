import type { FunctionComponent } from 'preact';
import { currentPage, usePage } from '../data/current-page.ts';
import { typed } from '../data/field-values.ts';
import type { CatalogModule } from '../start.tsx';
import type { DebitWords } from '../words/areas.ts';
import type { BankAccountProps, Offered } from './bank-account.tsx';
import styles from './choices.module.css';
import { lazyView } from './lazy-view.tsx';
import section from './section.module.css';

const catalogs = import.meta.glob<CatalogModule<DebitWords>>('../words/*/debit.json');

/** Fields of a bank account, loaded when the payer chooses a bank debit. */
export const BankAccountEntry: FunctionComponent<BankAccountProps> = lazyView<BankAccountProps>(async () => {
  const [{ BankAccount }, catalog] = await Promise.all([
    import('./bank-account.tsx'),
    catalogs[`../words/${currentPage().language}/debit.json`]?.(),
  ]);
  if (catalog === undefined) throw new Error('There are no words about bank debits in this language.');
  return (props) => <BankAccount {...props} words={catalog.default} />;
});

/** Returns the entered bank account as input for the service. */
export const typedAccount = ({ mandateVersion }: Offered) => ({
  bankAccount: {
    accountNumber: typed('accountNumber'),
    ...(typed('routingNumber') === '' ? {} : { routingNumber: typed('routingNumber') }),
    mandateVersion: mandateVersion ?? '',
  },
});

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
