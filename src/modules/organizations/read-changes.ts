import { type FieldProblem, validationError } from '../../domain/errors.ts';
import type {
  CheckoutSettings,
  PageSettings,
  PageTheme,
  PortalSettings,
} from '../../domain/page-settings.ts';
import type { OrganizationChanges } from './update.ts';

type Given<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

/** The settings of pages among the changes; what is null or undefined stays where nothing can be absent. */
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

/** Whether a text is the origin of a page: https, or http on this machine. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.origin !== text) return false;
  return (
    url.protocol === 'https:' || (url.protocol === 'http:' && /^(localhost|127\.0\.0\.1)$/.test(url.hostname))
  );
}

const originProblems = (field: string, origins: readonly string[] | null | undefined): FieldProblem[] =>
  (origins ?? []).flatMap((origin, index) =>
    isOrigin(origin)
      ? []
      : [{ field: `${field}.${index}`, message: 'must be an origin such as https://shop.example' }],
  );

const reasonProblems = (reasons: readonly string[] | null | undefined): FieldProblem[] =>
  (reasons ?? []).flatMap((reason, index) =>
    reason.trim() === '' || reason.length > 100 || /[\p{Cc}]/u.test(reason)
      ? [{ field: `portal.cancelReasons.${index}`, message: 'must be one line of 1 to 100 characters' }]
      : [],
  );

/** The members that say something. */
function said<T extends object>(values: Given<T> | null | undefined): Partial<T> | undefined {
  if (values == null) return undefined;
  // Members that are null or undefined are taken away.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value != null)) as Partial<T>;
}

/** Separates the settings of pages from the other changes. Throws `validation_error` for origins and reasons that are none. */
export function readOrganizationChanges(
  input: PageChanges & Omit<OrganizationChanges, 'pages'>,
): OrganizationChanges {
  const { pageTheme, portal, checkout, pageLanguages, embedOrigins, returnOrigins, ...rest } = input;
  const { supportEmail, supportUrl, termsUrl, privacyUrl, statementDescriptor, ...changes } = rest;
  const problems = [
    ...originProblems('embedOrigins', embedOrigins),
    ...originProblems('returnOrigins', returnOrigins),
    ...reasonProblems(portal?.cancelReasons),
  ];
  if (problems.length > 0) throw validationError(problems);
  const settings = {
    theme: said(pageTheme),
    portal: said(portal),
    checkout: said(checkout),
    languages: pageLanguages ?? undefined,
    embedOrigins: embedOrigins ?? undefined,
    returnOrigins: returnOrigins ?? undefined,
    supportEmail,
    supportUrl,
    termsUrl,
    privacyUrl,
    statementDescriptor,
  };
  // Members that are undefined are taken away.
  const pages = Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined),
  ) as PageSettings;
  return { ...changes, pages };
}
