import { type CatalogModule, start } from '../start.tsx';
import { invoice } from './entry.tsx';

void start(invoice, import.meta.glob<CatalogModule<unknown>>('../words/*/invoice.json'));
