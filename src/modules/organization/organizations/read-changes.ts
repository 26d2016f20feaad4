import { type FieldProblem, validationError } from '../../../domain/errors/errors.ts';
import { isPageOrigin } from '../../../domain/pages/page-origin.ts';
import type {
  CheckoutSettings,
  PageSettings,
  PageTheme,
  PortalSettings,
} from '../../../domain/pages/page-settings.ts';
import type { OrganizationChanges } from './update.ts';

type Given<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

/** Changes to page settings. A required setting stays the same if its value is `null` or `undefined`. */
type PageChanges = {
  readonly pageTheme?: Given<PageTheme> | null | undefined;
  readonly portal?: Given<PortalSettings> | null | undefined;
  readonly checkout?: Given<CheckoutSettings> | null | undefined;
  readonly pageLanguages?: readonly string[] | null | undefined;
  readonly supportEmail?: string | null | undefined;
  readonly supportUrl?: string | null | undefined;
  readonly termsUrl?: string | null | undefined;
  readonly privacyUrl?: string | null | undefined;
  readonly statementDescriptor?: string | null | undefined;
  readonly embedOrigins?: readonly string[] | null | undefined;
  readonly returnOrigins?: readonly string[] | null | undefined;
};

const originProblems = (field: string, origins: readonly string[] | null | undefined): FieldProblem[] =>
  (origins ?? []).flatMap((origin, index) =>
    isPageOrigin(origin)
      ? []
      : [
          {
            field: `${field}.${index}`,
            message:
              'must be an origin such as https://shop.example, without a path or wildcard. http is allowed for localhost only',
          },
        ],
  );

const reasonProblems = (reasons: readonly string[] | null | undefined): FieldProblem[] =>
  (reasons ?? []).flatMap((reason, index) =>
    reason.trim() === '' || reason.length > 100 || /[\p{Cc}]/u.test(reason)
      ? [{ field: `portal.cancelReasons.${index}`, message: 'must be one line of 1 to 100 characters' }]
      : [],
  );

const retryProblems = (days: readonly number[] | null | undefined): FieldProblem[] =>
  (days ?? []).flatMap((day, index, all) =>
    index > 0 && day <= (all[index - 1] ?? 0)
      ? [{ field: `retryDays.${index}`, message: 'must be greater than the previous number' }]
      : [],
  );

/** Returns an object without its `null` and `undefined` fields. */
function withoutNulls<T extends object>(values: Given<T> | null | undefined): Partial<T> | undefined {
  if (values == null) return undefined;
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value != null)) as Partial<T>;
}

/** Separates page settings from other changes. Throws `validation_error` if an origin or cancellation reason is invalid, or if the days of
 * the payment retries aren't ascending. */
export function readOrganizationChanges(
  input: PageChanges & Omit<OrganizationChanges, 'pages'>,
): OrganizationChanges {
  const { pageTheme, portal, checkout, pageLanguages, embedOrigins, returnOrigins, ...rest } = input;
  const { supportEmail, supportUrl, termsUrl, privacyUrl, statementDescriptor, ...changes } = rest;
  const problems = [
    ...originProblems('embedOrigins', embedOrigins),
    ...originProblems('returnOrigins', returnOrigins),
    ...reasonProblems(portal?.cancelReasons),
    ...retryProblems(input.retryDays),
  ];
  if (problems.length > 0) throw validationError(problems);
  const settings = {
    theme: withoutNulls(pageTheme),
    portal: withoutNulls(portal),
    checkout: withoutNulls(checkout),
    languages: pageLanguages ?? undefined,
    embedOrigins: embedOrigins ?? undefined,
    returnOrigins: returnOrigins ?? undefined,
    supportEmail,
    supportUrl,
    termsUrl,
    privacyUrl,
    statementDescriptor,
  };
  const pages = Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined),
  ) as PageSettings;
  return { ...changes, pages };
}
