import multiprocessing


def answer(questions, answers):
    while (item := questions.get()) is not None:
        answers.put(item + 1)


if __name__ == "__main__":
    questions, answers = multiprocessing.SimpleQueue(), multiprocessing.SimpleQueue()
    process = multiprocessing.Process(target=answer, args=(questions, answers))
    process.start()
    for i in range(3000):
        questions.put(i)
        answers.get()
    questions.put(None)
    process.join()
