import { isIban, isRoutingNumber } from '../../domain/payments/instruments/iban.ts';
import { fieldElement } from '../data/field-values.ts';
import type { Problems } from '../data/use-page-actions.ts';
import type { DebitWords } from '../words/areas.ts';
import { Field, FieldRow } from './field.tsx';
import section from './section.module.css';
import styles from './test-cards.module.css';

/** Way to pay that the checkout offers. */
export type Offered = {
  readonly instrument: string;
  readonly mandateVersion: string | null;
  /** Value to send if the payer starts the payment. `null` if the payer enters details. */
  readonly paymentMethod: string | null;
  readonly testAccounts: readonly { readonly number: string; readonly behavior: string }[];
};

export type BankAccountProps = {
  readonly offered: Offered;
  readonly merchant: string;
  readonly problems: Problems;
  /** Shows a problem at a field. An empty text removes the problem. */
  readonly mark: (name: string, text: string) => void;
};

/** Routing number of the sandbox's test accounts in the United States. */
const testRoutingNumber = '110000000';

/** Fills in a test account as if it were typed, and focuses the pay button. */
function fill(number: string): void {
  for (const [name, text] of [
    ['accountNumber', number],
    ['routingNumber', testRoutingNumber],
  ] as const) {
    const field = fieldElement(name);
    if (field === null) continue;
    field.value = text;
    field.dispatchEvent(new Event('change', { bubbles: true }));
  }
  document.getElementById('pay')?.focus();
}

const textIn = (texts: Readonly<Record<string, unknown>>, name: string): string => {
  const text = texts[name];
  return typeof text === 'string' ? text : name;
};

/** Fields of a bank account with the mandate text, and the sandbox's test accounts. */
export function BankAccount({
  offered,
  merchant,
  problems,
  mark,
  words,
}: BankAccountProps & { readonly words: DebitWords }) {
  const isUs = offered.instrument === 'ach_debit';
  const mandate = isUs ? words.mandates.ach_debit : words.mandates.sepa_debit;
  const number = (
    <Field
      name="accountNumber"
      label={isUs ? words.number : words.iban}
      problems={problems}
      autoComplete="off"
      spellcheck={false}
      maxLength={60}
      required
      {...(isUs ? { inputMode: 'numeric' as const } : { autoCapitalize: 'characters' })}
      onChange={({ currentTarget: { value } }) =>
        mark('accountNumber', isUs || value === '' || isIban(value) ? '' : words.ibanWrong)
      }
    />
  );
  return (
    <div id="bank-account" class={section.fields}>
      {isUs ? (
        <FieldRow>
          <Field
            name="routingNumber"
            label={words.routing}
            problems={problems}
            inputMode="numeric"
            autoComplete="off"
            maxLength={20}
            required
            onChange={({ currentTarget: { value } }) =>
              mark('routingNumber', value === '' || isRoutingNumber(value) ? '' : words.routingWrong)
            }
          />
          {number}
        </FieldRow>
      ) : (
        number
      )}
      <p id="mandate-text" class={section.quiet}>
        {mandate({ merchant })} {words.later}
      </p>
      {offered.testAccounts.length === 0 ? null : (
        <section id="test-accounts" class={styles.hints} aria-labelledby="test-accounts-title">
          <h2 id="test-accounts-title" class={styles.title}>
            {words.testTitle}
          </h2>
          <p class={styles.text}>{words.testText}</p>
          <ul class={styles.list}>
            {offered.testAccounts.map((account) => (
              <li key={account.number}>
                <button type="button" class={styles.card} onClick={() => fill(account.number)}>
                  <span class={styles.number}>{account.number}</span>
                  <span>{textIn(words.results, account.behavior)}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
