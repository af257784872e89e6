/** Reads a building from an IFC file (STEP; IFC2x3, IFC4 and IFC4x3). contract.md section 6. */
import { createHash } from 'node:crypto';
import { documentOf } from '../../../domain/buildings/document-check.ts';
import { isRefusal, refuse, type Refusal } from '../../../engine/aggregates/decider.ts';
import type { DocumentReader } from '../reader.ts';
import { documentFrom, type ReadModel } from './ifc-document.ts';
import { openIfc, UnreadableInstance, type ExpressId } from './ifc-model.ts';
import { SCHEMAS_READ, stepCheck, type StepCheck } from './step-check.ts';
import { repairedStep, type RepairedFile } from './step-repair.ts';

/** @param building GlobalId of the building to read, if the file has several. */
export const ifcReader = (building?: string): DocumentReader => {
  const check = stepCheck();
  const hash = createHash('sha256');
  const chunks: Uint8Array[] = [];
  return {
    take(bytes) {
      chunks.push(bytes);
      hash.update(bytes);
      return check.take(bytes);
    },

    async end(onShapes) {
      const wrong = check.end();
      if (wrong) return wrong;
      const { file, warnings } = repairedStep(Buffer.concat(chunks.splice(0)), check.misread);
      const model = await read(file, check.large, building, onShapes);
      if (isRefusal(model)) return model;
      return {
        document: model.document,
        reference: model.reference,
        codes: 'suggested',
        warnings: [...warnings, ...model.warnings],
        hash: hash.digest('base64url'),
      };
    },
  };
};

const read = async (
  file: RepairedFile['file'],
  large: StepCheck['large'],
  building: string | undefined,
  onShapes?: () => void,
): Promise<ReadModel | Refusal> => {
  const model = await openIfc(file, large);
  if (!model) {
    const message = `has a schema other than ${SCHEMAS_READ}`;
    return refuse('VALIDATION_FAILED', `The file ${message}.`, {
      errors: [{ path: '', message }],
    });
  }
  try {
    const read = await documentFrom(model, file, building, onShapes);
    if (isRefusal(read)) return read;
    const document = documentOf(read.document);
    return isRefusal(document) ? document : { ...read, document };
  } catch (error) {
    if (!(error instanceof UnreadableInstance)) throw error;
    const message = `line ${lineOf(file, error.id)}: #${error.id} does not match its type`;
    return refuse('VALIDATION_FAILED', message, { errors: [{ path: '', message }] });
  } finally {
    model.close();
  }
};

/** Searched on demand: an index of lines would be larger than the file. */
const lineOf = (file: Uint8Array, id: ExpressId): number => {
  const text = Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString('latin1');
  const at = new RegExp(`(?<=[;\\s/])#0*${id}\\s*=`).exec(text)?.index ?? 0;
  return text.slice(0, at).split('\n').length;
};
