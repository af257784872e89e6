/** The members of a ticket that were sealed under destroyed keys. contract.md section 11. */
import {
  erasableTexts,
  nothingErased,
  rewritten,
  type ErasableText,
  type Erased,
} from './erasure.ts';
import type { TicketEvent } from './events.ts';
import type { RecordedTicketEvent } from './view.ts';

export interface ErasedTicket {
  readonly erased: Erased;
  /** Ids of existing attachments whose file was the person's. */
  readonly attachments: readonly string[];
}

/** Pure. @param recorded All events of a ticket, read after the keys were destroyed. */
export const erasedIn = (recorded: readonly RecordedTicketEvent[]): ErasedTicket => {
  let erased: Erased = nothingErased;
  let files: readonly string[] = [];
  /** Whether `formData` may have answers of the person: an edit copies those that it keeps. */
  let hasAnswers = false;
  for (const { event, erased: parts = [] } of recorded) {
    const [isActor, isTexts] = [parts.includes('actor'), parts.includes('texts')];
    switch (event.type) {
      case 'TicketOpened':
        erased = {
          ...erased,
          reporter: parts.includes('identity'),
          createdBy: isActor,
          texts: isTexts ? openingTexts : [],
        };
        hasAnswers = isTexts;
        break;
      case 'TicketEdited': {
        const { formData, ...others } = event.changes;
        const isCopy: boolean =
          hasAnswers && formData !== undefined && Object.keys(formData).length > 0;
        erased = rewritten(erased, isCopy ? others : event.changes);
        if (isTexts) erased = { ...erased, texts: [...erased.texts, ...textsIn(event.changes)] };
        if (formData !== undefined) hasAnswers = isCopy || isTexts;
        break;
      }
      case 'TicketRated':
        if (isTexts) erased = { ...erased, texts: [...erased.texts, 'rating'] };
        break;
      case 'NoteAdded':
        if (isActor || isTexts) erased = { ...erased, notes: [...erased.notes, event.noteId] };
        break;
      case 'SystemNoteAdded':
        if (isTexts) erased = { ...erased, notes: [...erased.notes, event.noteId] };
        break;
      case 'AttachmentAdded':
        if (isActor)
          erased = { ...erased, attachments: [...erased.attachments, event.attachmentId] };
        if (isTexts) files = [...files, event.attachmentId];
        break;
      case 'AttachmentRemoved':
        files = files.filter((id) => id !== event.attachmentId);
        break;
      case 'TicketTransitioned':
      case 'TicketAssigned':
      case 'FirstResponseMade':
      case 'SlaClockBreached':
      case 'SlaWarningRaised':
      case 'SlaDuesMoved':
      case 'TicketRelocated':
      case 'WorkOrderLinked':
        break;
      case 'TicketPersonalDataErased':
        if (event.texts.includes('formData')) hasAnswers = false;
        break;
    }
  }
  return { erased, attachments: files };
};

const openingTexts: readonly ErasableText[] = erasableTexts.filter((text) => text !== 'rating');

type Changes = Extract<TicketEvent, { type: 'TicketEdited' }>['changes'];

const textsIn = (changes: Changes): readonly ErasableText[] =>
  openingTexts.filter((text) => Object.hasOwn(changes, text));
