import type { MouseEvent, ReactNode } from 'react';
import { openAddress } from '../router-address.ts';

type PageLinkProps = {
  readonly href: string;
  readonly className: string | undefined;
  readonly isCurrent: boolean;
  /** The name of the link, where its content says nothing to readers. */
  readonly label?: string | undefined;
  readonly children: ReactNode;
};

/** Goes by the router, unless the person asks for another tab or window. */
function follow(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  openAddress(event.currentTarget.href);
}

/** A link of the frame to a page. It works before the parts of react-aria are loaded. */
export const PageLink = ({ href, className, isCurrent, label, children }: PageLinkProps) => (
  <a
    href={href}
    className={className}
    aria-label={label}
    aria-current={isCurrent ? 'page' : undefined}
    onClick={follow}
  >
    {children}
  </a>
);
