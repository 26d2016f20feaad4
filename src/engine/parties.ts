import { createHash } from 'node:crypto';
import type { InvoiceBuyer, InvoiceSeller } from '../domain/invoicing/parties.ts';
import type { ChangeSet } from '../domain/subscription/state/aggregate.ts';
import type { BulkRow } from '../platform/db/bulk.ts';

type Party = InvoiceBuyer | InvoiceSeller;

/** The ids of the parties an invoice gets; a null seller stays as stored. */
export type PartyIds = { readonly buyerId: string; readonly sellerId: string | null };

/** The parties of many change sets: their rows, each once and in order of their ids, and what each invoice gets. */
export type FrozenParties = {
  readonly rows: readonly BulkRow<'InvoiceParty'>[];
  readonly byInvoice: ReadonlyMap<string, PartyIds>;
};

/** The id of a party: the first 132 bits of the hash of what it says. */
const partyId = (text: string): string =>
  `pty_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;

/** Gives the parties of change sets ids by what they say, so that invoices with the same party share its row. */
export function frozenParties(sets: readonly ChangeSet[]): FrozenParties {
  const rows = new Map<string, BulkRow<'InvoiceParty'>>();
  const known = new Map<Party, string>();
  const idOf = (data: Party): string => {
    // The seller of a batch is one object for all its invoices.
    const id = known.get(data) ?? partyId(JSON.stringify(data));
    known.set(data, id);
    rows.set(id, { id, data });
    return id;
  };
  const byInvoice = new Map<string, PartyIds>();
  for (const { parties } of sets) {
    for (const [invoiceId, { buyer, seller }] of parties) {
      byInvoice.set(invoiceId, { buyerId: idOf(buyer), sellerId: seller === null ? null : idOf(seller) });
    }
  }
  // In one order for everybody, so that two writers of the same new parties never wait for each other.
  return { rows: [...rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1)), byInvoice };
}
