import { addressOf } from '../../address.ts';
import { Link } from '../../kit/link.tsx';

/** Link to an invoice, with its number as the text. */
export const InvoiceLink = ({ id, number }: { readonly id: string; readonly number: string }) => (
  <Link href={addressOf('invoice', { id })}>{number}</Link>
);
