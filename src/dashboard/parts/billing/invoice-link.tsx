import { addressOf } from '../../address.ts';
import { Link } from '../../kit/link.tsx';

/** The number of an invoice, which leads to its page. */
export const InvoiceLink = ({ id, number }: { readonly id: string; readonly number: string }) => (
  <Link href={addressOf('invoice', { id })}>{number}</Link>
);
