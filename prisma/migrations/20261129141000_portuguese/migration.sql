-- Brazilian Portuguese as a language of emails, documents, and pages.
ALTER TYPE "Language" ADD VALUE 'pt_BR';
