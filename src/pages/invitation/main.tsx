import { type CatalogModule, start } from '../start.tsx';
import { invitation } from './entry.tsx';

void start(invitation, import.meta.glob<CatalogModule<unknown>>('../words/*/account.json'));
