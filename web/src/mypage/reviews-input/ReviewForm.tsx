// Writes a review: stars, a title, the text and up to five pictures, uploaded as soon as they are chosen.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Camera, X } from 'lucide-react'
import { type ChangeEvent, useId } from 'react'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import type { MyReview, PictureRef } from '../../api/types'
import { useDirtyReport, useLeaveWarning } from '../../features/forms/unsaved'
import { useForm } from '../../features/forms/useForm'
import {
  invalidateReviews,
  MAX_REVIEW_LENGTH,
  MAX_REVIEW_PICTURES,
  MAX_REVIEW_SUBJECT_LENGTH,
  MY_REVIEWS,
  uploadReviewImage,
} from '../../features/reviews/api'
import { failures, longerThanOne } from '../../lib/validators'
import { Button, buttonClass, IconButton } from '../../ui/Button'
import { Field, Fieldset } from '../../ui/Field'
import { FormError } from '../../ui/FormError'
import { Input, Textarea } from '../../ui/Input'
import { Picture } from '../../ui/Picture'
import { RatingInput } from '../../ui/Rating'
import { toast } from '../../ui/toast'

const RULES = {
  subject: longerThanOne('한 줄 평을 두 글자 이상 입력해 주세요.'),
  content: longerThanOne('후기를 두 글자 이상 입력해 주세요.'),
}

/** For a purchase, or an edit of `known`. */
type ReviewFormProps = ({ purchase: string; known?: undefined } | { purchase?: undefined; known: MyReview }) & {
  onDone: () => void
  onDirty?: (isDirty: boolean) => void
}

export function ReviewForm({ purchase, known, onDone, onDirty }: ReviewFormProps) {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: {
      star: known?.star ?? 0,
      subject: known?.subject ?? '',
      content: known?.content ?? '',
      images: (known?.images ?? []) as PictureRef[],
    },
    check: (values) => ({
      ...failures(values, RULES),
      star: values.star === 0 ? '별점을 선택해 주세요.' : undefined,
    }),
    send: ({ star, subject, content, images }): Promise<unknown> => {
      const body = { star, subject: subject.trim(), content: content.trim(), images }
      return known
        ? call('PUT', `${MY_REVIEWS}/{id}`, { path: { id: known._id }, body })
        : call('POST', MY_REVIEWS, { body: { ...body, _purchase: purchase } })
    },
    onSent: async () => {
      void toast(known ? '후기를 수정했습니다.' : '후기를 등록했습니다. 감사합니다!', { tone: 'success' })
      onDone()
      await invalidateReviews(queryClient)
    },
  })
  useDirtyReport(form.isDirty, onDirty)
  // A layer asks before it is closed.
  useLeaveWarning(!onDirty && form.isDirty && !form.isPending)
  const { star, content, images } = form.values
  return (
    <form {...form.formProps} className="grid gap-5">
      <Fieldset legend="상품은 어떠셨나요?" error={form.errors.star}>
        <RatingInput value={star} onValueChange={(stars) => form.set({ star: stars })} />
      </Fieldset>
      <Field label="한 줄 평" required error={form.errors.subject}>
        <Input
          maxLength={MAX_REVIEW_SUBJECT_LENGTH}
          placeholder="상품을 한 줄로 평가해 주세요"
          {...form.text('subject')}
        />
      </Field>
      <Field label="후기" required error={form.errors.content} hint={`${content.length} / ${MAX_REVIEW_LENGTH}자`}>
        <Textarea
          rows={6}
          maxLength={MAX_REVIEW_LENGTH}
          placeholder="사용해 보니 어떤 점이 좋았고 아쉬웠나요? 사이즈나 사용감도 도움이 됩니다."
          {...form.text('content')}
        />
      </Field>
      <Pictures images={images} onImages={(next) => form.set({ images: next })} error={form.errors.images} />
      <FormError>{form.errors.form}</FormError>
      <Button type="submit" variant="accent" size="lg" block busy={form.isPending}>
        {known ? '후기 수정' : '후기 등록'}
      </Button>
    </form>
  )
}

type PicturesProps = { images: PictureRef[]; onImages: (images: PictureRef[]) => void; error?: string }

function Pictures({ images, onImages, error }: PicturesProps) {
  const id = useId()
  const give = useMutation({
    mutationFn: async (files: readonly File[]) => {
      const given: PictureRef[] = []
      for (const file of files) given.push(await uploadReviewImage(file))
      return given
    },
    meta: { suppressToast: true },
    onSuccess: (given) => onImages([...images, ...given.filter((one) => !images.some((old) => old.url === one.url))]),
    onError: (thrown) => void toast(toApiError(thrown).told, { tone: 'error' }),
  })
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.target.files ?? [])].slice(0, MAX_REVIEW_PICTURES - images.length)
    event.target.value = ''
    if (files.length > 0) give.mutate(files)
  }
  const full = images.length >= MAX_REVIEW_PICTURES
  return (
    <Fieldset legend={`사진 (${images.length}/${MAX_REVIEW_PICTURES})`} error={error}>
      <div className="flex flex-wrap items-center gap-2">
        {images.map((image, i) => (
          <div key={image.url} className="relative w-20">
            <Picture src={image.url} alt={`올린 사진 ${i + 1}`} sizes="80px" />
            <IconButton
              label={`사진 ${i + 1} 삭제`}
              className="absolute -top-2 -right-2 bg-raised shadow-pop"
              onClick={() => onImages(images.filter((one) => one.url !== image.url))}
            >
              <X aria-hidden />
            </IconButton>
          </div>
        ))}
        <input
          id={id}
          type="file"
          accept="image/jpeg,image/png,image/webp"
          multiple
          disabled={full}
          aria-disabled={give.isPending || undefined}
          onClick={(event) => give.isPending && event.preventDefault()}
          onChange={choose}
          className="peer sr-only"
        />
        <label
          htmlFor={id}
          className={`${buttonClass({ variant: 'outline' })} cursor-pointer peer-focus-visible:outline-2 peer-disabled:pointer-events-none peer-disabled:opacity-40 peer-aria-disabled:pointer-events-none peer-aria-disabled:opacity-40`}
        >
          <Camera aria-hidden />
          {give.isPending ? '올리는 중…' : full ? '5장까지 올릴 수 있습니다' : '사진 추가'}
        </label>
      </div>
    </Fieldset>
  )
}
