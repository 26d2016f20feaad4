import { createHash } from 'node:crypto';
import type { InvoiceBuyer, InvoiceSeller } from '../../domain/invoicing/parties.ts';
import type { ChangeSet } from '../../domain/subscription/state/aggregate.ts';
import type { BulkRow } from '../../platform/db/bulk.ts';

type Party = InvoiceBuyer | InvoiceSeller;

/** Buyer and seller IDs of an invoice. If `sellerId` is `null`, the stored seller doesn't change. */
type PartyIds = { readonly buyerId: string; readonly sellerId: string | null };

/**
 * Buyers and sellers to store for change sets, without duplicates and sorted by ID, and the party IDs of
 * each invoice.
 */
export type FrozenParties = {
  readonly rows: readonly BulkRow<'InvoiceParty'>[];
  readonly byInvoice: ReadonlyMap<string, PartyIds>;
};

/** Returns the first 132 bits of a hash of the party's content. */
const partyId = (text: string): string =>
  `pty_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;

/** Derives the IDs of parties from their content, so that invoices with the same details share a row. */
export function frozenParties(sets: readonly ChangeSet[]): FrozenParties {
  const rows = new Map<string, BulkRow<'InvoiceParty'>>();
  const known = new Map<Party, string>();
  const idOf = (data: Party): string => {
    // All invoices of a batch share the same `seller` object.
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
  // Sort the parties, so that concurrent transactions with the same new parties can't deadlock.
  return { rows: [...rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1)), byInvoice };
}
