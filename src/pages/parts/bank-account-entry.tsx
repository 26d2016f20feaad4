import type { FunctionComponent } from 'preact';
import { currentPage } from '../data/current-page.ts';
import { typed } from '../data/field-values.ts';
import type { CatalogModule } from '../start.tsx';
import type { DebitWords } from '../words/areas.ts';
import type { BankAccountProps, Offered } from './bank-account.tsx';
import { lazyView } from './lazy-view.tsx';

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
