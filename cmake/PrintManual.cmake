# cmake -DPROGRAM=halocline -DFOLDER=folder -P PrintManual.cmake: what the program says about itself, as files to install:
# the manual pages in FOLDER/man1, completions in FOLDER/halocline (bash), _halocline (zsh) and halocline.fish.
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
execute_process(COMMAND ${PROGRAM} man --to ${FOLDER}/man1 OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PROGRAM} completion bash OUTPUT_FILE ${FOLDER}/halocline COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PROGRAM} completion zsh OUTPUT_FILE ${FOLDER}/_halocline COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PROGRAM} completion fish OUTPUT_FILE ${FOLDER}/halocline.fish COMMAND_ERROR_IS_FATAL ANY)
