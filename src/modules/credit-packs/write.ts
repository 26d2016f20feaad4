import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { newId } from '../../infra/ids.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { asNameTaken, type CreditPackRow, nameTaken, requireLockedCreditPack } from './service.ts';

/** What a creating call says of a credit pack: whole credits and US cents, both above 0. It is active unless told. */
export type NewCreditPackInput = {
  readonly name: string;
  readonly credits: number;
  readonly price: number;
  readonly description?: string | null | undefined;
  readonly isActive?: boolean | null | undefined;
};

/** Changes to a credit pack; what is undefined or null stays. */
export type CreditPackChanges = {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly credits?: number | null | undefined;
  readonly price?: number | null | undefined;
  readonly description?: string | null | undefined;
  readonly isActive?: boolean | null | undefined;
};

/** Throws `duplicate` when another living credit pack has the name. */
async function refuseTaken(context: Context, name: string, ownId: string | null): Promise<void> {
  const others = await context.db.creditPack.findMany({ where: { name, deletedAt: null } });
  if (others.some((pack) => pack.id !== ownId)) throw nameTaken();
}

/** Creates a credit pack. Throws `duplicate` for a name another living one has, also for a rival at the same moment (CAT-46). */
export async function createCreditPack(context: Context, input: NewCreditPackInput): Promise<CreditPackRow> {
  try {
    return await inTransaction(context, async (inner) => {
      await refuseTaken(inner, input.name, null);
      const now = inner.clock.now();
      return inner.db.creditPack.create({
        data: {
          id: newId('cpk'),
          seq: await nextSeq(inner),
          name: input.name,
          description: input.description ?? null,
          credits: BigInt(input.credits),
          priceMinor: BigInt(input.price),
          isActive: input.isActive ?? true,
          createdAt: now,
          updatedAt: now,
          deletedAt: null,
        },
      });
    });
  } catch (error) {
    throw asNameTaken(error);
  }
}

/** Changes a credit pack, for later purchases only (CAT-46). Throws `credit_pack_not_found`, and `duplicate` for a name that is taken. */
export async function updateCreditPack(context: Context, input: CreditPackChanges): Promise<CreditPackRow> {
  try {
    return await inTransaction(context, async (inner) => {
      const pack = await requireLockedCreditPack(inner, input.id);
      const { name, description, credits, priceMinor, isActive } = pack;
      const next = {
        name: input.name ?? name,
        description: input.description ?? description,
        credits: BigInt(input.credits ?? credits),
        priceMinor: BigInt(input.price ?? priceMinor),
        isActive: input.isActive ?? isActive,
      };
      if (isDeepStrictEqual(next, { name, description, credits, priceMinor, isActive })) return pack;
      await refuseTaken(inner, next.name, pack.id);
      const changes = { ...next, updatedAt: inner.clock.now() };
      await inner.db.creditPack.update({ where: { id: pack.id }, data: changes });
      return { ...pack, ...changes };
    });
  } catch (error) {
    throw asNameTaken(error);
  }
}

/** Takes a credit pack out of the catalogue; credits bought with it stay, its name is free again (CAT-46). Throws `credit_pack_not_found`. */
export const deleteCreditPack = (context: Context, id: string): Promise<DeletedShape> =>
  inTransaction(context, async (inner) => {
    await requireLockedCreditPack(inner, id);
    const now = inner.clock.now();
    await inner.db.creditPack.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
    return { id, object: 'credit_pack' };
  });
