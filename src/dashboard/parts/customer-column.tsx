import type { GridColumn } from '../kit/grid/columns.ts';
import { Text } from '../kit/text.tsx';

type OfCustomer = { readonly customer: { readonly fullName: string; readonly email: string } };

/** Creates the list column that shows the customer of a row. */
export const customerColumn = <Row extends OfCustomer>(
  title: string,
  phone: 'title' | 'line',
): GridColumn<Row> => ({
  id: 'customer',
  title,
  width: 150,
  grow: 2,
  phone,
  cell: ({ customer }) => <Text truncate>{customer.fullName || customer.email}</Text>,
});
