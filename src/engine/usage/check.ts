import type { Rejection } from '../../domain/errors/errors.ts';
import { checkDraw, checkUnits, type UsageCheckResult } from '../../domain/usage/check.ts';
import { hasTokens, type PricedRequest } from '../../domain/usage/record.ts';
import type { Context } from '../../request/context.ts';
import { lookUpUsage, type UsageLookup } from './lookup.ts';
import { countedSoFar } from './total.ts';

/**
 * Checks whether units of a feature or tokens of an AI model can be used now. Deducts and reserves nothing (CON-54,
 * CON-56).
 */
export async function checkUsage(
  ctx: Context,
  { request, ...lookup }: UsageLookup & { readonly request: PricedRequest },
): Promise<UsageCheckResult | Rejection> {
  const { model, properties } = request;
  const { book } = await lookUpUsage(ctx, { ...lookup, model, properties });
  const subject = book.subjectOf(lookup.customerId, lookup.featureCode);
  if ('code' in subject) return subject;
  const { account, counter } = book.meterOf(subject);
  const meter = { account, counter: await countedSoFar(ctx, counter) };
  const isPlain = subject.terms.meter === null && request.quantity === null;
  if (isPlain && !hasTokens(request)) return checkUnits(subject, meter, request.value ?? 1n);
  const quantity = book.quantityOf(request, subject);
  return 'code' in quantity ? quantity : checkDraw(subject, meter, quantity, quantity.measured.value);
}
