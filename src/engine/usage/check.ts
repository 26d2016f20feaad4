import type { Rejection } from '../../domain/errors/errors.ts';
import type { Subject, UsageBook } from '../../domain/usage/book.ts';
import { checkDraw, checkUnits, type UsageCheckResult } from '../../domain/usage/check.ts';
import { checkLimits } from '../../domain/usage/limited-check.ts';
import { movementNodes } from '../../domain/usage/movement-nodes.ts';
import type { PricedRequest } from '../../domain/usage/record.ts';
import { hasTokens } from '../../domain/usage/request-shape.ts';
import { countingFeatures, partProblem } from '../../domain/usage/sourced.ts';
import type { Context } from '../../request/context.ts';
import { lookUpUsage, type UsageLookup } from './lookup.ts';
import { countedSoFar } from './total.ts';

/** Adds the limits that apply to a check, and rejects usage that they reject. */
function withLimitCheck(
  result: UsageCheckResult,
  book: UsageBook,
  subject: Subject,
  { request, budget }: { readonly request: PricedRequest; readonly budget: string | null },
): UsageCheckResult | Rejection {
  const nodes = movementNodes(book.limits, subject, budget);
  if ('code' in nodes) return nodes;
  const check = checkLimits(book, subject, nodes, request);
  if (check === null) return result;
  const { limits, maxQuantity, throttle, rejection } = check;
  const limited = { ...result, limits, maxQuantity, throttle };
  return rejection === null || !result.allowed
    ? limited
    : { ...limited, allowed: false, reason: rejection.code, message: rejection.message };
}

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
  const result = await checkOwn(ctx, book, subject, request);
  if ('code' in result) return result;
  const checked = withLimitCheck(result, book, subject, { request, budget: lookup.budget ?? null });
  return 'code' in checked || !checked.allowed
    ? checked
    : withPartCheck(checked, book, subject, { request, budget: lookup.budget ?? null });
}

/** Rejects usage that a feature rejects whose meter counts the events of the feature (PRM-13). */
function withPartCheck(
  result: UsageCheckResult,
  book: UsageBook,
  subject: Subject,
  { request, budget }: { readonly request: PricedRequest; readonly budget: string | null },
): UsageCheckResult | Rejection {
  if (countingFeatures(book.catalog, subject.feature.id).length === 0) return result;
  const nodes = movementNodes(book.limits, subject, budget);
  if ('code' in nodes) return nodes;
  const quantity = book.quantityOf(request, subject);
  if ('code' in quantity) return quantity;
  const usage = { request: { ...request, eventId: null }, subject, ts: book.now, nodes };
  const rejection = partProblem(book, usage, quantity);
  return rejection === null
    ? result
    : { ...result, allowed: false, reason: rejection.code, message: rejection.message };
}

/** Checks usage without limits. */
async function checkOwn(
  ctx: Context,
  book: UsageBook,
  subject: Subject,
  request: PricedRequest,
): Promise<UsageCheckResult | Rejection> {
  const { account, counter } = book.meterOf(subject);
  const meter = { account, counter: await countedSoFar(ctx, counter) };
  const isPlain = subject.terms.meter === null && request.quantity === null;
  if (isPlain && !hasTokens(request)) return checkUnits(subject, meter, request.value ?? 1n);
  const quantity = book.quantityOf(request, subject);
  return 'code' in quantity ? quantity : checkDraw(subject, meter, quantity, quantity.measured.value);
}
