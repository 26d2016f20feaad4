import './modules/organization/index.ts';
import './modules/catalog/index.ts';
import './modules/customers/index.ts';
import './modules/subscriptions/index.ts';
import './modules/usage/index.ts';
import './modules/invoices/index.ts';
import './modules/payments/index.ts';
import './modules/messages/index.ts';
import './modules/metrics/index.ts';
import './modules/exports/index.ts';
import './modules/pages/index.ts';
import './modules/sandbox/index.ts';
import { AmountScale, amountDirective } from './graphql/declare/amount.ts';
import { withDirectives } from './graphql/declare/directives.ts';
import { ErrorCodeType, errorsDirective } from './graphql/declare/field-errors.ts';
import { semanticNonNullDirective } from './graphql/declare/nullability.ts';
import { deferDirective } from './graphql/execute/deferred.ts';
import { builder } from './graphql/reading/builder.ts';

/** GraphQL schema. The modules imported above register its types and fields. */
export const schema = withDirectives(
  builder.toSchema(),
  [amountDirective, deferDirective, errorsDirective, semanticNonNullDirective],
  [AmountScale, ErrorCodeType],
);
